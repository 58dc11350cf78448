/** Text and position of a label of a horizontal axis, centred on `x`; `width` and `x` in px. */
export type PlacedLabel = { readonly text: string; readonly x: number; readonly width: number }

/** Minimum distance between two labels of the time axis, in px; a label that is closer to the one on its left is not drawn. */
const LEAST_GAP_PIXELS = 6

/**
 * Returns the texts of a horizontal axis's labels, given from left to right. A label that would extend past `end` (px), or overlap the one
 * on its left, becomes an empty string, so that it is not drawn.
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
