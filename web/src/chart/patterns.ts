/** Line style of a chart by which lines differ without colour: number of a dash and hatch pattern, and whether the area is filled. */
export type LineStyle = {
  /** Index of the chart line's pattern in the list of dash and hatch patterns: 0 is plain; always below {@link PATTERN_COUNT}. */
  readonly pattern: number
  /** True when the area below the chart's line is filled with the line's colour or hatch. */
  readonly isFilled: boolean
}

export const plainStyle: LineStyle = { pattern: 0, isFilled: false }

type Pattern = {
  /** List of the lengths in CSS px of the line's dashes and gaps, alternating, as for `setLineDash`; empty for a solid line. */
  readonly dash: readonly number[]
  /**
   * SVG path (`d`) of the strokes in one tile of a hatched area; the tile is {@link TILE_PIXELS} px wide and high. Empty string = no hatch.
   */
  readonly hatch: string
}

/** Side length, in CSS px, of the square tile that a hatch pattern repeats: 8. */
export const TILE_PIXELS = 8

const up = 'M0 8L8 0M-1 1L1 -1M7 9L9 7'
const down = 'M0 0L8 8M-1 7L1 9M7 -1L9 1'
const level = 'M0 4H8'
const upright = 'M4 0V8'

/** List of all patterns that distinguish chart lines, each a dash and a hatch. The first is plain; all are different. */
const patterns: readonly Pattern[] = [
  { dash: [], hatch: '' },
  { dash: [6, 3], hatch: up },
  { dash: [2, 3], hatch: down },
  { dash: [10, 3, 2, 3], hatch: level },
  { dash: [14, 4], hatch: upright },
  { dash: [6, 3, 2, 3, 2, 3], hatch: up + down },
  { dash: [2, 6], hatch: level + upright },
  { dash: [10, 3, 4, 3], hatch: 'M1 2H3M5 6H7' },
  { dash: [4, 6], hatch: 'M0 4L4 0M0 8L8 0M4 8L8 4' },
]

export const PATTERN_COUNT = patterns.length

export const dashOf = (pattern: number): readonly number[] => patterns[pattern]?.dash ?? []

export const hatchOf = (pattern: number): string => patterns[pattern]?.hatch ?? ''
