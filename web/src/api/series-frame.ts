import type { SeriesKey, SeriesValues } from '@vedette/protocol/metrics/series'
import { ownValue } from '@vedette/protocol/own-value'
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
  const series = new Map([...keys].map((key) => [key, rows.map(({ values }) => ownValue(values, key) ?? null)] as const))
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
    const { column, isKnown } = columnAt(places, average)
    // A series without any value is left out.
    if (name === undefined || !isKnown) continue
    framed.push([name, column])
    if (minimum === undefined || maximum === undefined) continue
    const [lowest, highest] = [columnAt(places, minimum), columnAt(places, maximum)]
    if (lowest.isKnown && highest.isKnown) extremes.push([name, { minimum: lowest.column, maximum: highest.column }])
  }
  return {
    fromMs: numberOf(from) ?? 0,
    toMs: numberOf(to) ?? 0,
    times: places.times,
    series: new Map(framed),
    ...(extremes.length === 0 ? {} : { extremes: new Map(extremes) }),
  }
}

/** For each time of a frame where in the answer its values stand; `GAP` for a marker, which has none. */
type Places = { readonly times: readonly number[]; readonly indexes: readonly number[] }

const GAP = -1

function placesOf(times: readonly number[], intervalMs: number): Places {
  const [placed, indexes]: [number[], number[]] = [[], []]
  times.forEach((at, index) => {
    const previous = times[index - 1]
    if (previous !== undefined && at - previous > GAP_INTERVALS * intervalMs) {
      placed.push(previous + intervalMs)
      indexes.push(GAP)
    }
    placed.push(at)
    indexes.push(index)
  })
  return { times: placed, indexes }
}

/** The values at the places, and whether any is known. Thousands of them for each series: no object is made for any. */
function columnAt({ indexes }: Places, values: unknown): { readonly column: Column; readonly isKnown: boolean } {
  const read = listOf(values)
  const column: (number | null)[] = []
  let isKnown = false
  for (const index of indexes) {
    const value = index === GAP ? undefined : numberOf(read[index])
    column.push(value ?? null)
    isKnown ||= value !== undefined
  }
  return { column, isKnown }
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
