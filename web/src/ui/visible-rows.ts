/** Rows of equal height of which only those in and near the window exist: `[first, end)`. */
export type VisibleRows = { readonly first: number; readonly end: number }

export type ScrolledList = {
  readonly count: number
  readonly rowPixels: number
  /** Where the list starts, from the top of the window; negative once it is scrolled past. */
  readonly topPixels: number
  readonly windowPixels: number
}

/** How many rows exist beyond each edge of the window; in steps of this many the rows are renewed. */
const MARGIN_ROWS = 8

export function visibleRows({ count, rowPixels, topPixels, windowPixels }: ScrolledList): VisibleRows {
  const firstSeen = Math.floor(-topPixels / rowPixels)
  const endSeen = Math.ceil((windowPixels - topPixels) / rowPixels)
  const first = Math.floor((firstSeen - MARGIN_ROWS) / MARGIN_ROWS) * MARGIN_ROWS
  const end = Math.ceil((endSeen + MARGIN_ROWS) / MARGIN_ROWS) * MARGIN_ROWS
  return { first: Math.min(Math.max(0, first), count), end: Math.min(Math.max(0, end), count) }
}
