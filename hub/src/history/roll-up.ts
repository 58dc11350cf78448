import { finestStep, roundedAverage } from './precision.ts'
import { emptyStretch, extremesOf, type SeriesColumn, type Stretch } from './stretch.ts'
import { bucketStart } from './tier.ts'

/**
 * Buckets of `sizeMs` out of samples or finer buckets, from whatever exists: averages weighted by count, extremes kept. A
 * series that is absent from some of them is averaged over those that have it.
 */
export function rolledUp({ times, series }: Stretch, sizeMs: number): Stretch {
  const starts: number[] = []
  const bucketOf = times.map((time) => {
    const start = bucketStart(time, sizeMs)
    if (starts.at(-1) !== start) starts.push(start)
    return starts.length - 1
  })
  if (starts.length === 0) return emptyStretch
  return { times: starts, series: series.map((column) => bucketsOf(column, bucketOf, starts.length)) }
}

function bucketsOf(column: SeriesColumn, bucketOf: readonly number[], length: number): SeriesColumn {
  const { key, average } = column
  const of = extremesOf(column)
  const sum = new Float64Array(length)
  const count = new Float64Array(length)
  const minimum = new Float64Array(length).fill(Number.POSITIVE_INFINITY)
  const maximum = new Float64Array(length).fill(Number.NEGATIVE_INFINITY)
  for (const [at, value] of average.entries()) {
    const bucket = bucketOf[at] ?? 0
    const weight = of.count[at] ?? 0
    if (Number.isNaN(value)) continue
    sum[bucket] = (sum[bucket] ?? 0) + value * weight
    count[bucket] = (count[bucket] ?? 0) + weight
    minimum[bucket] = Math.min(minimum[bucket] ?? value, of.minimum[at] ?? value)
    maximum[bucket] = Math.max(maximum[bucket] ?? value, of.maximum[at] ?? value)
  }
  const known = (values: Float64Array): Float64Array => values.map((value, bucket) => (count[bucket] === 0 ? Number.NaN : value))
  const step = finestStep(key)
  const mean = sum.map((total, bucket) => {
    const near = roundedAverage(step, total / (count[bucket] ?? 0))
    return Math.min(Math.max(near, minimum[bucket] ?? near), maximum[bucket] ?? near) + 0
  })
  return { key, average: known(mean), extremes: { minimum: known(minimum), maximum: known(maximum), count: known(count) } }
}
