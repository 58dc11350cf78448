/** Range `[first, end)` of indexes of the list rows to render. */
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

/** Returns the positions of rows of equal height. */
export const equalRows = (count: number, rowPixels: number): RowPositions => ({
  count,
  topOf: (index) => index * rowPixels,
  indexAt: (pixels) => Math.floor(pixels / rowPixels),
})

/** Returns the positions of rows whose heights in px differ. All heights must be above 0. */
export function unequalRows(heights: readonly number[]): RowPositions {
  const tops = new Float64Array(heights.length + 1)
  for (const [index, height] of heights.entries()) tops[index + 1] = (tops[index] ?? 0) + height
  const indexAt = (pixels: number): number => {
    if (pixels < 0) return -1
    let [low, high] = [0, heights.length]
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if ((tops[middle] ?? 0) <= pixels) low = middle
      else high = middle - 1
    }
    return low
  }
  return { count: heights.length, topOf: (index) => tops[index] ?? 0, indexAt }
}

type ScrolledList = {
  readonly rows: RowPositions
  /** Position of the list's top relative to the visible area's top, in px; negative when scrolled past. */
  readonly topPixels: number
  readonly windowPixels: number
}

/** Number of list rows rendered beyond each edge of the visible area. The range changes in steps of this size. */
const MARGIN_ROWS = 8

export function visibleRows({ rows, topPixels, windowPixels }: ScrolledList): VisibleRows {
  const firstSeen = rows.indexAt(-topPixels)
  const endSeen = rows.indexAt(windowPixels - topPixels) + 1
  const first = Math.floor((firstSeen - MARGIN_ROWS) / MARGIN_ROWS) * MARGIN_ROWS
  const end = Math.ceil((endSeen + MARGIN_ROWS) / MARGIN_ROWS) * MARGIN_ROWS
  return { first: Math.min(Math.max(0, first), rows.count), end: Math.min(Math.max(0, end), rows.count) }
}
