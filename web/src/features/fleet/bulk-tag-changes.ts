import type { System } from '../../api/system-record.ts'
import type { TagChange } from '../../api/tag-draft.ts'

export type SystemTagChange = { readonly system: System; readonly change: TagChange }

/**
 * Returns the change of tags that each system needs, without systems that need none. A tag that a system has is added again: an admin
 * accepts it so if it is untrusted. Only tags that a system has are removed from it.
 */
export function bulkChanges(systems: readonly System[], added: readonly string[], removed: readonly string[]): readonly SystemTagChange[] {
  return systems.flatMap((system) => {
    const had = removed.filter((tag) => system.tags.some(({ text }) => text === tag))
    if (added.length === 0 && had.length === 0) return []
    return [{ system, change: { ...(added.length === 0 ? {} : { 'tags+': added }), ...(had.length === 0 ? {} : { 'tags-': had }) } }]
  })
}
