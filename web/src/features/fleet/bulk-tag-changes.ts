import type { System } from '../../api/system-record.ts'
import type { TagChange } from '../../api/tag-draft.ts'

export type SystemTagChange = { readonly system: System; readonly change: TagChange }

/**
 * Returns the tag changes to send for each of the selected systems, without systems that need none. Adding a tag that a system already has
 * makes an admin's acceptance of an untrusted tag. Only tags that a system has are removed from it.
 */
export function bulkChanges(systems: readonly System[], added: readonly string[], removed: readonly string[]): readonly SystemTagChange[] {
  return systems.flatMap((system) => {
    const had = removed.filter((tag) => system.tags.some(({ text }) => text === tag))
    if (added.length === 0 && had.length === 0) return []
    return [{ system, change: { ...(added.length === 0 ? {} : { 'tags+': added }), ...(had.length === 0 ? {} : { 'tags-': had }) } }]
  })
}
