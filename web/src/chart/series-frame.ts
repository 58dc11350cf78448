import type { SeriesKey, SeriesValues } from '@vedette/protocol/metrics/series'
import type { Column, Extremes } from '../format/column.ts'
import { GAP_INTERVALS } from './gap-rule.ts'

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

/** The frame with a time without values in every gap, so that no line is drawn across it. Without a gap, nothing is copied. */
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

/** The index of each time, and `GAP` for each gap; `undefined` without one. */
function placesOf(times: readonly number[], intervalMs: number): readonly number[] | undefined {
  const places = times.flatMap((at, index) => (at - (times[index - 1] ?? at) > GAP_INTERVALS * intervalMs ? [GAP, index] : [index]))
  return places.length === times.length ? undefined : places
}

/** Columns from samples, each of which may have other series. */
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

/** The values between two gaps: from index `from` up to `to`, which is not part of it. */
export type KnownRun = { readonly from: number; readonly to: number }

/** The runs of known values of a column; with another column, of those where both are known. */
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

/** The value of a series in the newest row that has values; `undefined` when that row lacks it. */
export function latestOf(frame: SeriesFrame, key: SeriesKey): number | undefined {
  return frame.series.get(key)?.at(-1) ?? undefined
}

/** The extremes of a series as a line's part; nothing where the frame has none. */
export function extremesOf(frame: SeriesFrame, key: SeriesKey): { readonly extremes?: Extremes } {
  const extremes = frame.extremes?.get(key)
  return extremes === undefined ? {} : { extremes }
}
