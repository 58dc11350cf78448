import { readStored, writeStored } from '../../preferences/stored-text.ts'

const STORAGE_KEY = 'ui-fleet-folded'
/** Maximum number of collapsed groups of systems, 500, that this browser stores; those collapsed first are dropped. */
const MOST_REMEMBERED = 500
const listeners = new Set<() => void>()
let folded: ReadonlySet<string> | undefined

/**
 * Returns the set of keys (texts of grouping and group name) of the groups of systems that the user has collapsed. It is the same object
 * until a group is collapsed or expanded.
 */
export function foldedGroups(): ReadonlySet<string> {
  folded ??= new Set((readStored(STORAGE_KEY) ?? '').split('\n').filter((key) => key !== ''))
  return folded
}

export function onFoldedGroupsChange(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/**
 * Returns the key of a group of systems in the set of collapsed groups: one line of text. `grouping` is the text of the grouping, such as
 * `key:env`; `name` the group's name.
 */
export const foldKey = (grouping: string, name: string | undefined): string => JSON.stringify([grouping, name ?? null])

/** Collapses (`isFolded`) or expands the groups of systems with these keys, and stores that in this browser. */
export function foldGroups(keys: readonly string[], isFolded: boolean): void {
  const changed = new Set(keys)
  const others = [...foldedGroups()].filter((key) => !changed.has(key))
  folded = new Set(isFolded ? [...others, ...keys] : others)
  writeStored(STORAGE_KEY, [...folded].slice(-MOST_REMEMBERED).join('\n'))
  for (const listener of listeners) listener()
}
