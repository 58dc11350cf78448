import type { ChartDrawing, ChartLine } from '../../chart/chart-drawing.ts'
import type { Column } from '../../format/column.ts'

/**
 * Series key of the line "others", which sums the series that a stacked chart does not draw one by one. It contains a control character, so
 * no real series has it.
 */
export const OTHERS_KEY = '\u0000others'

type Lines = Pick<ChartDrawing, 'lines' | 'isStacked'>

export type TopSeries<T extends Lines> = {
  readonly drawing: T
  /**
   * Number of lines that the chart leaves out because of the limit in the user's settings. It is 0 for stacked charts, which draw the sum
   * of the others as one line.
   */
  readonly undrawnCount: number
}

/**
 * Returns a chart's data reduced to the `count` lines with the highest mean, in their original order. A stacked chart also gets a line with
 * the sum of the others, named by `nameOf`. If there are at most `count` lines, or `count` is `undefined` (no limit), `drawing` is returned
 * unchanged.
 */
export function topSeries<T extends Lines>(drawing: T, count: number | undefined, nameOf: (others: number) => string): TopSeries<T> {
  const { lines, isStacked } = drawing
  if (count === undefined || lines.length <= count) return { drawing, undrawnCount: 0 }
  const ranked = lines
    .map((line) => ({ line, mean: meanOf(line.values) }))
    .toSorted((one, other) => other.mean - one.mean)
    .map(({ line }) => line)
  const top = new Set(ranked.slice(0, count))
  const [named, others] = [lines.filter((line) => top.has(line)), lines.filter((line) => !top.has(line))]
  if (!isStacked) return { drawing: { ...drawing, lines: named }, undrawnCount: others.length }
  const sum: ChartLine = {
    key: OTHERS_KEY,
    label: nameOf(others.length),
    colour: '--text-faint',
    style: { pattern: 0, isFilled: true },
    values: sumOf(others.map(({ values }) => values)),
  }
  return { drawing: { ...drawing, lines: [...named, sum] }, undrawnCount: 0 }
}

/**
 * Returns the mean of the values that are not null. Charts draw the lines with the highest means. It is minus infinity when all are null,
 * so that such a line comes last.
 */
function meanOf(values: Column): number {
  const known = values.filter((value) => value !== null)
  return known.length === 0 ? Number.NEGATIVE_INFINITY : known.reduce((sum, value) => sum + value, 0) / known.length
}

/** Returns the sums of several chart lines (arrays of values with equal times) time by time, ignoring nulls; null where all are null. */
function sumOf(columns: readonly Column[]): Column {
  return (columns[0] ?? []).map((_, index) => {
    let sum: number | null = null
    for (const column of columns) {
      const value = column[index] ?? null
      if (value !== null) sum = (sum ?? 0) + value
    }
    return sum
  })
}
