import type { SeriesKey, SeriesValues } from '@vedette/protocol/metrics/series'
import type { Column, Extremes } from '../format/column.ts'
import { GAP_INTERVALS } from './gap-rule.ts'

/**
 * Time series over one time window `[fromMs, toMs)`. They have a list of common times in epoch ms, ascending, and for each series an array
 * with a value or null for each time.
 */
export type SeriesFrame = {
  readonly fromMs: number
  readonly toMs: number
  readonly times: readonly number[]
  readonly series: ReadonlyMap<SeriesKey, Column>
  /**
   * Map from series key to the arrays with the minimum and maximum behind each point; only for series whose points aggregate several
   * values.
   */
  readonly extremes?: ReadonlyMap<SeriesKey, Extremes>
}

export type TimedValues = { readonly at: number; readonly values: SeriesValues }

/**
 * Returns a frame (times with series of values) in which a row of nulls marks gaps, so that no line crosses them. A gap is a distance of
 * over 1.5 sampling intervals (`intervalMs`) between times. Without gaps, returns the frame itself.
 */
export function withGaps(frame: SeriesFrame, intervalMs: number): SeriesFrame {
  const { times, series, extremes } = frame
  const places = placesOf(times, intervalMs)
  if (places === undefined) return frame
  const spread = (column: Column): Column => places.map((index) => (index === GAP ? null : (column[index] ?? null)))
  const spreadBoth = ({ minimum, maximum }: Extremes): Extremes => ({ minimum: spread(minimum), maximum: spread(maximum) })
  return {
    ...frame,
    times: places.map((index, at) => (index === GAP ? (times[places[at - 1] ?? 0] ?? 0) + intervalMs : (times[index] ?? 0))),
    series: mapped(series, spread),
    ...(extremes && { extremes: mapped(extremes, spreadBoth) }),
  }
}

const mapped = <T>(columns: ReadonlyMap<SeriesKey, T>, change: (column: T) => T): ReadonlyMap<SeriesKey, T> =>
  new Map([...columns].map(([key, column]) => [key, change(column)]))

const GAP = -1

/**
 * Returns the indexes of all times, with `GAP` inserted between two that are too far apart, such as `[0, 1, GAP, 2]`. `undefined` when
 * there is no such gap.
 */
function placesOf(times: readonly number[], intervalMs: number): readonly number[] | undefined {
  const places = times.flatMap((at, index) => (at - (times[index - 1] ?? at) > GAP_INTERVALS * intervalMs ? [GAP, index] : [index]))
  return places.length === times.length ? undefined : places
}

/**
 * Builds time series over common times from samples, each of which may have different series keys. Missing values become null. A row of
 * nulls is inserted at gaps.
 */
export function frameOfSamples(samples: readonly TimedValues[], window: { fromMs: number; toMs: number }, intervalMs: number): SeriesFrame {
  const series = new Map<SeriesKey, (number | null)[]>()
  for (const [index, { values }] of samples.entries()) {
    for (const [key, value] of Object.entries(values)) {
      let column = series.get(key)
      if (column === undefined) series.set(key, (column = samples.map(() => null)))
      column[index] = value
    }
  }
  return withGaps({ ...window, times: samples.map(({ at }) => at), series }, intervalMs)
}

/** Range of indexes of consecutive values without a gap in an array: `from` inclusive, `to` exclusive. */
export type KnownRun = { readonly from: number; readonly to: number }

/**
 * Returns the index ranges `from` to `to` (exclusive) of consecutive values that are not null. With `other`, a value counts only where that
 * array has one too.
 */
export function knownRuns(values: Column, other: Column = values): readonly KnownRun[] {
  const runs: KnownRun[] = []
  let from: number | undefined
  for (let index = 0; index <= values.length; index++) {
    const isKnown = (values[index] ?? null) !== null && (other[index] ?? null) !== null
    if (isKnown) from ??= index
    else if (from !== undefined) {
      runs.push({ from, to: index })
      from = undefined
    }
  }
  return runs
}

export const isEmptyFrame = (frame: SeriesFrame): boolean => frame.series.size === 0

/** Returns the newest value of a series, that at the last of the common times; `undefined` when it is null or the series is missing. */
export function latestOf(frame: SeriesFrame, key: SeriesKey): number | undefined {
  return frame.series.get(key)?.at(-1) ?? undefined
}

/**
 * Returns an object `{ extremes }` with the minimum and maximum arrays of a series, to be spread into a chart line; `{}` when the series
 * has none.
 */
export function extremesOf(frame: SeriesFrame, key: SeriesKey): { readonly extremes?: Extremes } {
  const extremes = frame.extremes?.get(key)
  return extremes === undefined ? {} : { extremes }
}
