/** Range `[first, end)` of indexes of the list rows to render. */
export type VisibleRows = { readonly first: number; readonly end: number }

export type ScrolledList = {
  readonly count: number
  readonly rowPixels: number
  /** Position of the list's top relative to the visible area's top, in px; negative when scrolled past. */
  readonly topPixels: number
  readonly windowPixels: number
}

/** Number of list rows rendered beyond each edge of the visible area. The range changes in steps of this size. */
const MARGIN_ROWS = 8

export function visibleRows({ count, rowPixels, topPixels, windowPixels }: ScrolledList): VisibleRows {
  const firstSeen = Math.floor(-topPixels / rowPixels)
  const endSeen = Math.ceil((windowPixels - topPixels) / rowPixels)
  const first = Math.floor((firstSeen - MARGIN_ROWS) / MARGIN_ROWS) * MARGIN_ROWS
  const end = Math.ceil((endSeen + MARGIN_ROWS) / MARGIN_ROWS) * MARGIN_ROWS
  return { first: Math.min(Math.max(0, first), count), end: Math.min(Math.max(0, end), count) }
}
