import type { SeriesKey } from '@vedette/protocol/metrics/series'
import { extremesOf, latestOf, type SeriesFrame } from '../../../chart/series-frame.ts'
import { withLineStyles, type ChartLine, type ChartUnit } from '../../../chart/chart-drawing.ts'
import { seriesColour } from '../../../chart/series-colour.ts'
import type { Column } from '../../../format/column.ts'
import type { CardDrawing, Source } from '../chart-spec.ts'

const colours = 8
const colourAt = (index: number): string => `--series-${(index % colours) + 1}`

export type MoreChart = {
  readonly id: string
  readonly title: string
  readonly description: string
  readonly source: Source
  readonly drawing: CardDrawing
}
type Drawn = {
  readonly unit: ChartUnit
  readonly top?: number | undefined
  readonly isStacked?: boolean
  /**
   * Which large number the chart's card shows: a given number, or one computed from the lines' latest values, as the `highest` or the
   * `sum`. Absent: none.
   */
  readonly headline?: number | 'highest' | 'sum' | undefined
  readonly flow?: 'network' | 'disk'
}

/**
 * Builds a chart of the lower part of a system's page from its lines, texts (`named`) and unit. Returns a list with that chart, or an empty
 * list when there are no lines.
 */
export function chartOf(
  frame: SeriesFrame,
  named: Omit<MoreChart, 'drawing'>,
  lines: readonly ChartLine[],
  { unit, top, isStacked = false, headline, flow }: Drawn,
): readonly MoreChart[] {
  if (lines.length === 0) return []
  const newest = lines.flatMap(({ key }) => latestOf(frame, key) ?? [])
  const large = typeof headline === 'string' ? headlineOf(newest, headline) : headline
  const flows = flow === undefined ? {} : { flow }
  const drawing = withLineStyles({ unit, ...flows, times: frame.times, lines, isStacked, top, startsAtZero: true, headline: large })
  return [{ ...named, drawing }]
}

function headlineOf(newest: readonly number[], how: 'highest' | 'sum'): number | undefined {
  if (newest.length === 0) return undefined
  return how === 'highest' ? Math.max(...newest) : newest.reduce((sum, value) => sum + value, 0)
}

/**
 * Series of a chart as a tuple: series key, displayed label, and an optional name. The line's colour depends on the name or, without one,
 * on the position in the list.
 */
type NamedSeries = readonly [key: SeriesKey, label: string, name?: string]

/**
 * Returns a chart line for each of the given series (key, label, optional name for its colour), in their order. Series without any value in
 * `frame` are left out.
 */
export const linesOf = (frame: SeriesFrame, series: readonly NamedSeries[]): readonly ChartLine[] =>
  series.flatMap(([key, label, name], index) => {
    const values = frame.series.get(key)
    return values === undefined || values.every((value) => value === null)
      ? []
      : [{ key, label, colour: name === undefined ? colourAt(index) : seriesColour(name), values, ...extremesOf(frame, key) }]
  })

/**
 * Returns a function that takes a chart line and returns a copy in another unit. Values, minimums and maximums are multiplied by `factor`.
 */
export function scaled(factor: number) {
  const times = (column: Column): Column => column.map((value) => (value === null ? null : value * factor))
  return ({ extremes, ...line }: ChartLine): ChartLine => ({
    ...line,
    values: times(line.values),
    ...(extremes === undefined ? {} : { extremes: { minimum: times(extremes.minimum), maximum: times(extremes.maximum) } }),
  })
}
