import type { System } from '../../api/system-record.ts'
import type { TagChange } from '../../api/tag-draft.ts'

export type SystemTagChange = { readonly system: System; readonly change: TagChange }

/**
 * Returns the tag changes to send when a user adds tags to, or removes them from, several systems: one for each system that needs it.
 * Adding a present tag is sent too, because an admin accepts an untrusted tag by it.
 */
export function bulkChanges(systems: readonly System[], added: readonly string[], removed: readonly string[]): readonly SystemTagChange[] {
  return systems.flatMap((system) => {
    const had = removed.filter((tag) => system.tags.some(({ text }) => text === tag))
    if (added.length === 0 && had.length === 0) return []
    return [{ system, change: { ...(added.length === 0 ? {} : { 'tags+': added }), ...(had.length === 0 ? {} : { 'tags-': had }) } }]
  })
}
