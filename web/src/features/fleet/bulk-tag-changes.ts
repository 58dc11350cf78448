import type { System } from '../../api/system-record.ts'
import type { TagChange } from '../../api/tag-draft.ts'

export type SystemTagChange = { readonly system: System; readonly change: TagChange }

/**
 * Returns the tag changes to send for each of the selected systems, without systems that need none. A tag that a system already has is
 * added again, by which an admin accepts an untrusted tag. Only tags that a system has are removed.
 */
export function bulkChanges(systems: readonly System[], added: readonly string[], removed: readonly string[]): readonly SystemTagChange[] {
  return systems.flatMap((system) => {
    const had = removed.filter((tag) => system.tags.some(({ text }) => text === tag))
    if (added.length === 0 && had.length === 0) return []
    return [{ system, change: { ...(added.length === 0 ? {} : { 'tags+': added }), ...(had.length === 0 ? {} : { 'tags-': had }) } }]
  })
}
