import type { SeriesKey, StoredKind } from '@vedette/protocol/metrics/series'
import { containerStatsJsonOf, statsJsonOf, type Json } from '@vedette/protocol/wire/stats-json'
import type { Stretch } from '../model/stretch.ts'

/** Input of `stats`: one column per series; NaN means unknown. `maxima` exists for buckets only. */
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
  // A total that counts upwards shows its value at the end of the bucket, which is its maximum.
  const values = series.map(({ key, average }, index) => (key.endsWith('BytesTotal') ? (maxima[index] ?? average) : average))
  return { kind, keys, values, maxima }
}

/** The `stats` of the point at the index `at`. */
export function statsAt({ kind, keys, values, maxima }: StatsNumbers, at: number): Json {
  const of = (columns: readonly Float64Array[]) => (index: number) => columns[index]?.[at] ?? Number.NaN
  return kind === 'containers' ? containerStatsJsonOf(keys, of(values)) : statsJsonOf(keys, of(values), maxima && of(maxima))
}
