import { type Extremes, type SeriesColumn, type SeriesTable, emptyTable, zeroNumbers, unknownNumbers } from './series-table.ts'
import { finestStep, roundedAverage, type RoundAverage } from './precision.ts'
import { bucketStart } from './tier.ts'

/**
 * Aggregates a table of samples or finer buckets into a table of buckets of `sizeMs` ms: average weighted by sample count, minimum, maximum
 * and count. NaN (unknown) values do not count. `round` rounds averages, by default as storage does.
 */
export function rolledUp({ times, series }: SeriesTable, sizeMs: number, round: RoundAverage = roundedAverage): SeriesTable {
  const starts: number[] = []
  const bucketOf = times.map((time) => {
    const start = bucketStart(time, sizeMs)
    if (starts.at(-1) !== start) starts.push(start)
    return starts.length - 1
  })
  if (starts.length === 0) return emptyTable
  return { times: starts, series: series.map((column) => bucketsOf(column, { bucketOf, length: starts.length, round })) }
}

type Sums = Extremes & { readonly sum: Float64Array }

/**
 * Assignment of a history table's rows to buckets (10 min or 2 h). `bucketOf` has the bucket index of each row, `length` is the number of
 * buckets, `round` rounds their averages.
 */
type Buckets = { readonly bucketOf: readonly number[]; readonly length: number; readonly round: RoundAverage }

function bucketsOf({ key, average, extremes }: SeriesColumn, { bucketOf, length, round }: Buckets): SeriesColumn {
  const sums = {
    sum: zeroNumbers(length),
    count: zeroNumbers(length),
    minimum: zeroNumbers(length).fill(Number.POSITIVE_INFINITY),
    maximum: zeroNumbers(length).fill(Number.NEGATIVE_INFINITY),
  }
  if (extremes === undefined) addSamples(sums, average, bucketOf)
  else addBuckets(sums, average, extremes, bucketOf)
  return { key, ...finished((value) => round(finestStep(key), value), sums) }
}

/**
 * Adds samples to the running sums (`sum`, `count`, `minimum`, `maximum`) of their 10 min or 2 h buckets. `bucketOf` has the bucket index
 * of each sample. NaN values are skipped.
 */
function addSamples({ sum, count, minimum, maximum }: Sums, average: Float64Array, bucketOf: readonly number[]): void {
  for (let at = 0; at < average.length; at++) {
    const value = average[at] ?? Number.NaN
    if (Number.isNaN(value)) continue
    const bucket = bucketOf[at] ?? 0
    sum[bucket] = (sum[bucket] ?? 0) + value
    count[bucket] = (count[bucket] ?? 0) + 1
    minimum[bucket] = Math.min(minimum[bucket] ?? value, value)
    maximum[bucket] = Math.max(maximum[bucket] ?? value, value)
  }
}

function addBuckets({ sum, count, minimum, maximum }: Sums, average: Float64Array, of: Extremes, bucketOf: readonly number[]): void {
  for (let at = 0; at < average.length; at++) {
    const value = average[at] ?? Number.NaN
    if (Number.isNaN(value)) continue
    const bucket = bucketOf[at] ?? 0
    const weight = of.count[at] ?? 0
    sum[bucket] = (sum[bucket] ?? 0) + value * weight
    count[bucket] = (count[bucket] ?? 0) + weight
    minimum[bucket] = Math.min(minimum[bucket] ?? value, of.minimum[at] ?? value)
    maximum[bucket] = Math.max(maximum[bucket] ?? value, of.maximum[at] ?? value)
  }
}

/**
 * Converts the running sums of one series' buckets to averages (rounded with `round`), minimums, maximums and counts. Buckets without
 * samples become NaN (unknown).
 */
function finished(round: (average: number) => number, { sum, ...extremes }: Sums): Omit<SeriesColumn, 'key'> {
  const { minimum, maximum, count } = extremes
  const average = unknownNumbers(sum.length)
  for (let bucket = 0; bucket < sum.length; bucket++) {
    const weight = count[bucket] ?? 0
    if (weight === 0) minimum[bucket] = maximum[bucket] = count[bucket] = Number.NaN
    else {
      const near = round((sum[bucket] ?? 0) / weight)
      average[bucket] = Math.min(Math.max(near, minimum[bucket] ?? near), maximum[bucket] ?? near) + 0
    }
  }
  return { average, extremes }
}
