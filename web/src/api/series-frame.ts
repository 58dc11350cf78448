import type { SeriesKey, SeriesValues } from '@vedette/protocol/metrics/series'
import type { Column, Extremes } from '../format/column.ts'
import { listOf, numberOf, recordOf, textOf } from './json.ts'

/** Series over one window `[fromMs, toMs)`, as columns of equal length. Times are epoch ms, ascending. */
export type SeriesFrame = {
  readonly fromMs: number
  readonly toMs: number
  readonly times: readonly number[]
  readonly series: ReadonlyMap<SeriesKey, Column>
  /** Lowest and highest of what each point was made from; only where points were made from several values. */
  readonly extremes?: ReadonlyMap<SeriesKey, Extremes>
}

export type TimedValues = { readonly at: number; readonly values: SeriesValues }

/** Two records further apart than this many expected intervals have a gap between them. */
const GAP_INTERVALS = 1.5

export function frameOfSamples(samples: readonly TimedValues[], window: { fromMs: number; toMs: number }, intervalMs: number): SeriesFrame {
  const rows = withGapMarkers(samples, intervalMs)
  const keys = new Set(samples.flatMap(({ values }) => Object.keys(values)))
  const series = new Map([...keys].map((key) => [key, rows.map(({ values }) => values[key] ?? null)] as const))
  return { ...window, times: rows.map(({ at }) => at), series }
}

/** Puts a row without values into every gap, so that no line is drawn across it. */
function withGapMarkers(samples: readonly TimedValues[], intervalMs: number): readonly TimedValues[] {
  return samples.flatMap((sample, index) => {
    const previous = samples[index - 1]
    const isGap = previous !== undefined && sample.at - previous.at > GAP_INTERVALS * intervalMs
    return isGap ? [{ at: previous.at + intervalMs, values: {} }, sample] : [sample]
  })
}

/** The answer of the history endpoint. Where its times leave a gap, markers are put in as well. */
export function frameOfColumns(answer: unknown): SeriesFrame {
  const { from, to, bucketMs, times, series } = recordOf(answer)
  const readTimes = listOf(times).flatMap((time) => numberOf(time) ?? [])
  const columns = listOf(series).flatMap((one) => {
    const { key, average, minimum, maximum } = recordOf(one)
    const name = textOf(key)
    return name === undefined ? [] : [{ name, average, minimum, maximum }]
  })
  const window = { fromMs: numberOf(from) ?? 0, toMs: numberOf(to) ?? 0 }
  const framed = (values: (column: (typeof columns)[number]) => unknown) => {
    const read = columns.map((column) => [column.name, listOf(values(column))] as const)
    const samples = readTimes.map((at, index) => ({ at, values: valuesAt(read, index) }))
    return frameOfSamples(samples, window, numberOf(bucketMs) ?? Number.POSITIVE_INFINITY)
  }
  const frame = framed(({ average }) => average)
  if (columns.every(({ minimum, maximum }) => minimum === undefined || maximum === undefined)) return frame
  // The gaps are at the same times: the columns of all three fit each other.
  const [lowest, highest] = [framed(({ minimum }) => minimum), framed(({ maximum }) => maximum)]
  const extremes = [...frame.series.keys()].flatMap((key) => {
    const [minimum, maximum] = [lowest.series.get(key), highest.series.get(key)]
    return minimum === undefined || maximum === undefined ? [] : [[key, { minimum, maximum }] as const]
  })
  return { ...frame, extremes: new Map(extremes) }
}

const valuesAt = (columns: readonly (readonly [key: SeriesKey, values: readonly unknown[]])[], index: number): SeriesValues =>
  Object.fromEntries(
    columns.flatMap(([key, values]) => {
      const value = numberOf(values[index])
      return value === undefined ? [] : [[key, value] as const]
    }),
  )

export const isEmptyFrame = (frame: SeriesFrame): boolean => frame.series.size === 0

/** The value of a series in the newest row that has values; `undefined` when that row lacks it. */
export function latestOf(frame: SeriesFrame, key: SeriesKey): number | undefined {
  return frame.series.get(key)?.at(-1) ?? undefined
}

/** The extremes of a series as a line's part; nothing where the frame has none. */
export function extremesOf(frame: SeriesFrame, key: SeriesKey): { readonly extremes?: Extremes } {
  const extremes = frame.extremes?.get(key)
  return extremes === undefined ? {} : { extremes }
}
