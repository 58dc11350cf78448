/** Label of a horizontal axis: its text, the position `x` of its centre, and its `width`, both in px. */
export type PlacedLabel = { readonly text: string; readonly x: number; readonly width: number }

/** Minimum distance between two labels of the time axis, 6 px; a label that is closer to the one on its left is not drawn. */
const LEAST_GAP_PIXELS = 6

/**
 * Returns the texts of a horizontal axis's labels, given from left to right. A label that would extend past `end` (px), or starts less than
 * 6 px after the last drawn one, becomes an empty string.
 */
export function fittingLabels(labels: readonly PlacedLabel[], end: number): readonly string[] {
  let taken = Number.NEGATIVE_INFINITY
  return labels.map(({ text, x, width }) => {
    const [left, right] = [x - width / 2, x + width / 2]
    if (right > end || left < taken) return ''
    taken = right + LEAST_GAP_PIXELS
    return text
  })
}
