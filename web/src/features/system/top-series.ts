import type { ChartDrawing, ChartLine } from '../../chart/chart-drawing.ts'
import type { Column } from '../../format/column.ts'

/** No series has this key: names of containers, sensors and drives have no control characters. */
export const OTHERS_KEY = '\u0000others'

type Lines = Pick<ChartDrawing, 'lines' | 'isStacked'>

export type TopSeries<T extends Lines> = {
  readonly drawing: T
  /** How many series are left out. A chart of a reading that cannot be summed, such as temperatures, draws no sum of them. */
  readonly undrawnCount: number
}

/**
 * The `count` series with the highest mean, in the order that they had. A stack has the sum of all others on top, so that its height stays;
 * other charts leave them out. Without `count`, and with no more series than that, it is the same drawing.
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

/** Mean of the known values; a series without any comes last. */
function meanOf(values: Column): number {
  const known = values.filter((value) => value !== null)
  return known.length === 0 ? Number.NEGATIVE_INFINITY : known.reduce((sum, value) => sum + value, 0) / known.length
}

/** The sum of what is known at each time; `null` where nothing is. */
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
