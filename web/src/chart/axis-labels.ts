/** A label around its middle `x`, as wide as `width`; pixels. */
export type PlacedLabel = { readonly text: string; readonly x: number; readonly width: number }

/** Two labels that are closer than this read as one, pixels. */
const LEAST_GAP_PIXELS = 6

/** The labels of a horizontal axis, left to right; empty in place of one that would reach beyond `end` or touch the one before. */
export function fittingLabels(labels: readonly PlacedLabel[], end: number): readonly string[] {
  let taken = Number.NEGATIVE_INFINITY
  return labels.map(({ text, x, width }) => {
    const [left, right] = [x - width / 2, x + width / 2]
    if (right > end || left < taken) return ''
    taken = right + LEAST_GAP_PIXELS
    return text
  })
}
