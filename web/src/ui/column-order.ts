/** A column as a person arranged it. */
export type ArrangedColumn = { readonly id: string; readonly isHidden: boolean }

/**
 * The columns of a table in a person's order. `text` is that order, with `-` before each hidden column: `cpu,-disk,load`. Columns that
 * it does not name, such as those of a newer version, keep their place after the column before them; those that no longer exist are left out.
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

/** The columns with one of them moved up (-1) or down (1). */
export function moveColumn(columns: readonly ArrangedColumn[], id: string, by: -1 | 1): readonly ArrangedColumn[] {
  const from = columns.findIndex((one) => one.id === id)
  const column = columns[from]
  const to = from + by
  if (column === undefined || to < 0 || to >= columns.length) return columns
  return columns.toSpliced(from, 1).toSpliced(to, 0, column)
}

/** The columns with one of them hidden, or shown again. */
export const toggleColumn = (columns: readonly ArrangedColumn[], id: string): readonly ArrangedColumn[] =>
  columns.map((one) => (one.id === id ? { id, isHidden: !one.isHidden } : one))
