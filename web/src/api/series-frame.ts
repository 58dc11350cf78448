import type { SeriesKey, SeriesValues } from '@vedette/protocol/metrics/series'
import type { Column } from '../format/column.ts'
import { listOf, numberOf, recordOf, textOf } from './json.ts'

/** Series over one window `[fromMs, toMs)`, as columns of equal length. Times are epoch ms, ascending. */
export type SeriesFrame = {
  readonly fromMs: number
  readonly toMs: number
  readonly times: readonly number[]
  readonly series: ReadonlyMap<SeriesKey, Column>
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
    const { key, average } = recordOf(one)
    const name = textOf(key)
    return name === undefined ? [] : [{ name, values: listOf(average) }]
  })
  const samples = readTimes.map((at, index): TimedValues => {
    const values = columns.flatMap(({ name, values }) => {
      const value = numberOf(values[index])
      return value === undefined ? [] : [[name, value] as const]
    })
    return { at, values: Object.fromEntries(values) }
  })
  return frameOfSamples(samples, { fromMs: numberOf(from) ?? 0, toMs: numberOf(to) ?? 0 }, numberOf(bucketMs) ?? Number.POSITIVE_INFINITY)
}

export const isEmptyFrame = (frame: SeriesFrame): boolean => frame.series.size === 0

/** The value of a series in the newest row that has values; `undefined` when that row lacks it. */
export function latestOf(frame: SeriesFrame, key: SeriesKey): number | undefined {
  return frame.series.get(key)?.at(-1) ?? undefined
}
