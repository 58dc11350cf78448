/** Set of the ids of the systems that are selected in the list. It is emptied when the user leaves the page All Systems. */
let selected: ReadonlySet<string> = new Set()
const listeners = new Set<() => void>()

export const selectedIds = (): ReadonlySet<string> => selected

export function onSelectionChange(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

export function select(ids: Iterable<string>): void {
  selected = new Set(ids)
  for (const listener of listeners) listener()
}

export const toggleSelected = (id: string): void => select(selected.has(id) ? [...selected].filter((one) => one !== id) : [...selected, id])
