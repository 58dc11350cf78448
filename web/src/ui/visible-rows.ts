/** Range `[first, end)` of indexes of the rows that a virtualized list renders; all others are not in the document. */
export type VisibleRows = { readonly first: number; readonly end: number }

/**
 * Vertical positions of a list's rows, in px below the list's top: `topOf(index)` is that of a row, `topOf(count)` the list's height.
 * `indexAt(px)` is the index of the row at a position; below 0 or `count` and more outside the list.
 */
export type RowPositions = {
  readonly count: number
  readonly topOf: (index: number) => number
  readonly indexAt: (pixels: number) => number
}

/** Returns the vertical positions of a virtualized list with `count` rows that are all `rowPixels` high. */
export const equalRows = (count: number, rowPixels: number): RowPositions => ({
  count,
  topOf: (index) => index * rowPixels,
  indexAt: (pixels) => Math.floor(pixels / rowPixels),
})

type ScrolledList = {
  readonly rows: RowPositions
  /** Position of the list's top relative to the visible area's top, in px; negative when scrolled past. */
  readonly topPixels: number
  readonly windowPixels: number
}

/**
 * Minimum number of list rows, 8, that are rendered beyond each edge of the visible area, if there are as many. The range of rendered rows
 * changes in steps of this size.
 */
const MARGIN_ROWS = 8

export function visibleRows({ rows, topPixels, windowPixels }: ScrolledList): VisibleRows {
  const firstSeen = rows.indexAt(-topPixels)
  const endSeen = rows.indexAt(windowPixels - topPixels) + 1
  const first = Math.floor((firstSeen - MARGIN_ROWS) / MARGIN_ROWS) * MARGIN_ROWS
  const end = Math.ceil((endSeen + MARGIN_ROWS) / MARGIN_ROWS) * MARGIN_ROWS
  return { first: Math.min(Math.max(0, first), rows.count), end: Math.min(Math.max(0, end), rows.count) }
}

/**
 * Maximum number of rows, 4, that a list adds to the document in one frame. Style, layout and painting of a row of All Systems take up to 3
 * ms.
 */
const MOST_NEW_ROWS = 4

/**
 * Returns the keys of the list rows to render in this frame: those rendered already (`present`), and at most 4 new ones. New rows above the
 * visible area come last. `first` is the index of the first row in the list.
 */
export function rowsToRender<Key>(keys: readonly Key[], present: ReadonlySet<Key>, first: number): ReadonlySet<Key> {
  const margin = first === 0 ? 0 : MARGIN_ROWS
  const added = [...keys.slice(margin), ...keys.slice(0, margin)].filter((key) => !present.has(key))
  return new Set([...keys.filter((key) => present.has(key)), ...added.slice(0, MOST_NEW_ROWS)])
}
