import type { RowPositions } from './visible-rows.ts'

/** Returns the vertical positions of a virtualized list's rows for their heights in px, which may differ. All heights must be above 0. */
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
