import type { SeriesKey, StoredKind } from '@vedette/protocol/metrics/series'
import { containerStatsJsonOf, statsJsonOf, type Json } from '@vedette/protocol/wire/stats-json'
import type { Stretch } from '../model/stretch.ts'

/** The numbers that `stats` are made of: a column of each series, NaN for what is not known. Maxima are those of buckets. */
export type StatsNumbers = {
  readonly kind: StoredKind
  readonly keys: readonly SeriesKey[]
  readonly values: readonly Float64Array[]
  readonly maxima?: readonly Float64Array[]
}

export function statsNumbers(kind: StoredKind, { series }: Stretch, isOfBuckets: boolean): StatsNumbers {
  const keys = series.map(({ key }) => key)
  const averages = series.map(({ average }) => average)
  if (kind === 'containers' || !isOfBuckets) return { kind, keys, values: averages }
  const maxima = series.map(({ average, extremes }) => extremes?.maximum ?? average)
  // What counts upwards is said as far as it came.
  const values = series.map(({ key, average }, index) => (key.endsWith('BytesTotal') ? (maxima[index] ?? average) : average))
  return { kind, keys, values, maxima }
}

/** The numbers of one point in their places. */
export function statsAt({ kind, keys, values, maxima }: StatsNumbers, at: number): Json {
  const of = (columns: readonly Float64Array[]) => (index: number) => columns[index]?.[at] ?? Number.NaN
  return kind === 'containers' ? containerStatsJsonOf(keys, of(values)) : statsJsonOf(keys, of(values), maxima && of(maxima))
}
