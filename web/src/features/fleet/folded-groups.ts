import { readStored, writeStored } from '../../preferences/stored-text.ts'

const STORAGE_KEY = 'ui-fleet-folded'
/** Maximum number of folded groups that the browser remembers; the ones folded first are forgotten. */
const MOST_REMEMBERED = 500
const listeners = new Set<() => void>()
let folded: ReadonlySet<string> | undefined

/** Returns the keys of all folded groups (see `foldKey`). It is the same set until a group is folded or expanded. */
export function foldedGroups(): ReadonlySet<string> {
  folded ??= new Set((readStored(STORAGE_KEY) ?? '').split('\n').filter((key) => key !== ''))
  return folded
}

export function onFoldedGroupsChange(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Returns the key of a group, for the set of folded groups: one line of text. `grouping` is the text of the grouping, such as `key:env`. */
export const foldKey = (grouping: string, name: string | undefined): string => JSON.stringify([grouping, name ?? null])

/** Folds groups, or expands them (`isFolded` false), and stores that in this browser. */
export function foldGroups(keys: readonly string[], isFolded: boolean): void {
  const changed = new Set(keys)
  const others = [...foldedGroups()].filter((key) => !changed.has(key))
  folded = new Set(isFolded ? [...others, ...keys] : others)
  writeStored(STORAGE_KEY, [...folded].slice(-MOST_REMEMBERED).join('\n'))
  for (const listener of listeners) listener()
}
