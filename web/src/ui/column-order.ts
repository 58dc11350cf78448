/** Column of a table in the order of the user's settings: its id, and whether it is hidden. */
export type ArrangedColumn = { readonly id: string; readonly isHidden: boolean }

/**
 * Returns a table's columns `ids`, in the order of the stored text, such as `cpu,-disk,load` (`-` = hidden). A column that the text lacks
 * is inserted, visible, after its predecessor in `ids`; unknown ids in the text are dropped.
 */
export function arrangeColumns(ids: readonly string[], text: string | undefined): readonly ArrangedColumn[] {
  const named = (text ?? '').split(',').map((part) => ({ id: part.replace(/^-/, ''), isHidden: part.startsWith('-') }))
  const arranged = named.filter(({ id }, index) => ids.includes(id) && named.findIndex((one) => one.id === id) === index)
  for (const [index, id] of ids.entries()) {
    if (arranged.some((one) => one.id === id)) continue
    const before = ids[index - 1]
    arranged.splice(arranged.findIndex((one) => one.id === before) + 1, 0, { id, isHidden: false })
  }
  return arranged
}

export const columnsText = (columns: readonly ArrangedColumn[]): string =>
  columns.map(({ id, isHidden }) => (isHidden ? `-${id}` : id)).join(',')

/**
 * Returns a table's columns with the column `id` moved up (`by` -1) or down (1). If it is at the end of the list already, the columns are
 * returned unchanged.
 */
export function moveColumn(columns: readonly ArrangedColumn[], id: string, by: -1 | 1): readonly ArrangedColumn[] {
  const from = columns.findIndex((one) => one.id === id)
  const column = columns[from]
  const to = from + by
  if (column === undefined || to < 0 || to >= columns.length) return columns
  return columns.toSpliced(from, 1).toSpliced(to, 0, column)
}

/** Returns a table's columns after the column with this id was hidden, or shown if it was hidden. */
export const toggleColumn = (columns: readonly ArrangedColumn[], id: string): readonly ArrangedColumn[] =>
  columns.map((one) => (one.id === id ? { id, isHidden: !one.isHidden } : one))
