import type { SeriesValues } from '@vedette/protocol/metrics/series'

/** One moment or stretch of time of many series. A single sample has a count of one and all three values equal. */
export type Bucket = {
  readonly average: SeriesValues
  readonly minimum: SeriesValues
  readonly maximum: SeriesValues
  /** Samples behind each series: one that came late or left early weighs only what it saw. */
  readonly count: Readonly<Record<string, number>>
}

export function bucketOfSample(values: SeriesValues): Bucket {
  const count = Object.fromEntries(Object.keys(values).map((key) => [key, 1]))
  return { average: values, minimum: values, maximum: values, count }
}

/**
 * One bucket out of several, in any order and number: averages weighted by count, extremes kept. A series absent from
 * some of them is averaged over those that have it. Associative, so merging merged buckets loses nothing.
 */
export function mergeBuckets(buckets: readonly Bucket[]): Bucket {
  const sum: Record<string, number> = {}
  const minimum: Record<string, number> = {}
  const maximum: Record<string, number> = {}
  const count: Record<string, number> = {}
  for (const bucket of buckets) {
    for (const [key, average] of Object.entries(bucket.average)) {
      const weight = bucket.count[key] ?? 1
      sum[key] = (sum[key] ?? 0) + average * weight
      count[key] = (count[key] ?? 0) + weight
      minimum[key] = Math.min(minimum[key] ?? Number.POSITIVE_INFINITY, bucket.minimum[key] ?? average)
      maximum[key] = Math.max(maximum[key] ?? Number.NEGATIVE_INFINITY, bucket.maximum[key] ?? average)
    }
  }
  const average = Object.fromEntries(Object.entries(sum).map(([key, total]) => [key, total / (count[key] ?? 1)]))
  return { average, minimum, maximum, count }
}
