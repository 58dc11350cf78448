import type { SeriesFrame } from '../../../chart/series-frame.ts'
import type { ChartWindow } from '../../../chart/chart-drawing.ts'
import { withLineStyles } from '../../../chart/chart-drawing.ts'
import type { Column } from '../../../format/column.ts'
import type { CardDrawing } from '../chart-spec.ts'
import type { EarlierPart } from './earlier-parts.ts'
import { metricColumn, type Metric } from './metrics.ts'

/**
 * One line of a comparison chart: a system's label, CSS colour property and series. With an earlier time, `parts` splits the shown range
 * and holds the time shift of each part.
 */
export type ComparedSystem = {
  readonly key: string
  readonly label: string
  readonly colour: string
  readonly frame: SeriesFrame
  readonly parts: readonly EarlierPart[]
}

const MINUTE_MS = 60_000
/**
 * Factor, 1.5, of the sampling interval: for that long after a measurement, a system's value is drawn at the comparison's common times.
 * Systems are polled at different seconds, so their times differ.
 */
const HOLDS_INTERVALS = 1.5

/**
 * Builds the chart data of a comparison from the systems' series. Systems are polled at different seconds, so each line has its newest
 * value at each of the common times. A value that is too old then is null.
 */
export function comparedDrawing(metric: Metric, compared: readonly ComparedSystem[], window: ChartWindow): CardDrawing {
  const known = compared.map((one) => ({ ...one, points: knownPoints(metric, one) }))
  const intervalMs = Math.max(MINUTE_MS, ...known.map(({ points }) => usualInterval(points.times)))
  const firstMs = Math.ceil(window.fromMs / intervalMs) * intervalMs
  const count = Math.max(0, Math.floor((window.toMs - firstMs) / intervalMs) + 1)
  const times = Array.from({ length: count }, (_, at) => firstMs + at * intervalMs)
  const lines = known.map(({ key, label, colour, parts, points }) => {
    return { key, label, colour, values: valuesBeside(times, parts, points, HOLDS_INTERVALS * intervalMs) }
  })
  const { unit, flow, top } = metric
  return withLineStyles({ unit, ...(flow && { flow }), top, times, lines, isStacked: false, startsAtZero: true, headline: undefined })
}

/** Values of one compared system that are not null, and their times in epoch ms, ascending, as two arrays of equal length. */
type Points = { readonly times: readonly number[]; readonly values: readonly number[] }

function knownPoints(metric: Metric, { frame }: ComparedSystem): Points {
  const [times, values]: [number[], number[]] = [[], []]
  for (const [at, value] of metricColumn(metric, frame).entries()) {
    if (value === null) continue
    times.push(frame.times[at] ?? 0)
    values.push(value)
  }
  return { times, values }
}

/**
 * Returns the usual distance between ascending times (their lower median), which is a system's sampling interval in ms; 0 for fewer than
 * two times.
 */
export function usualInterval(times: readonly number[]): number {
  const distances = times.slice(1).map((at, index) => at - (times[index] ?? at))
  return distances.toSorted((a, b) => a - b)[(distances.length - 1) >> 1] ?? 0
}

/**
 * Returns a value for each of the ascending `times` (epoch ms): the newest one of an earlier day at the same clock time, `shiftMs` before.
 * `parts` has the `shiftMs` of each time range (24 h, or 23 h after a clock change). Null where no value is less than `holdsMs` old.
 */
const valuesBeside = (times: readonly number[], parts: readonly EarlierPart[], points: Points, holdsMs: number): Column =>
  parts.flatMap(({ fromMs, shiftMs }, index) => {
    const toMs = parts[index + 1]?.fromMs ?? Infinity
    const own = times.filter((at) => at >= fromMs && at < toMs)
    if (shiftMs === undefined) return own.map(() => null)
    return [
      ...valuesAt(
        own.map((at) => at - shiftMs),
        points,
        holdsMs,
      ),
    ]
  })

/**
 * Returns an array with a value for each of the ascending `times`: the newest point at or before that time and less than `holdsMs` older.
 * Null where there is none.
 */
export function valuesAt(times: readonly number[], points: Points, holdsMs: number): Column {
  let next = 0
  return times.map((at) => {
    while (next < points.times.length && (points.times[next] ?? at) <= at) next += 1
    const last = points.times[next - 1]
    return last !== undefined && at - last < holdsMs ? (points.values[next - 1] ?? null) : null
  })
}
