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
  const places = placesOf(readTimes, numberOf(bucketMs) ?? Number.POSITIVE_INFINITY)
  const framed: [SeriesKey, Column][] = []
  const extremes: [SeriesKey, Extremes][] = []
  for (const one of listOf(series)) {
    const { key, average, minimum, maximum } = recordOf(one)
    const name = textOf(key)
    const column = columnAt(places, average)
    // What is known at no time is not there.
    if (name === undefined || column.every((value) => value === null)) continue
    framed.push([name, column])
    const [lowest, highest] = [columnAt(places, minimum), columnAt(places, maximum)]
    if (lowest.some(isKnown) && highest.some(isKnown)) extremes.push([name, { minimum: lowest, maximum: highest }])
  }
  return {
    fromMs: numberOf(from) ?? 0,
    toMs: numberOf(to) ?? 0,
    times: places.map(({ at }) => at),
    series: new Map(framed),
    ...(extremes.length === 0 ? {} : { extremes: new Map(extremes) }),
  }
}

/** A time of a frame, and where in the answer its values stand; a gap marker has none. */
type Place = { readonly at: number; readonly index: number | undefined }

const placesOf = (times: readonly number[], intervalMs: number): readonly Place[] =>
  times.flatMap((at, index) => {
    const previous = times[index - 1]
    const isGap = previous !== undefined && at - previous > GAP_INTERVALS * intervalMs
    return isGap
      ? [
          { at: previous + intervalMs, index: undefined },
          { at, index },
        ]
      : [{ at, index }]
  })

function columnAt(places: readonly Place[], values: unknown): Column {
  const read = listOf(values)
  return places.map(({ index }) => (index === undefined ? null : (numberOf(read[index]) ?? null)))
}

const isKnown = (value: number | null): boolean => value !== null

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
