import assert from 'node:assert/strict'
import type { SeriesTable } from '../src/history/model/series-table.ts'

/** Every sample that was appended: its values by name, by its time. A later one of the same time replaces the earlier one whole. */
export type RawSamples = Map<number, ReadonlyMap<string, number>>

type Bucket = { count: number; sum: number; minimum: number; maximum: number }

type Found = { readonly [of in 'average' | 'count' | 'minimum' | 'maximum']: number | undefined }

/** A rounding of a stored average: two decimals for percentages, 16 binary digits for what is counted. */
const roundingOf = (name: string, average: number): number =>
  name.endsWith('Percent') || name.endsWith('celsius') ? 0.005 : Math.max(0.5, Math.abs(average) / 2 ** 16)

/** A stored average is rounded when it is made; one of two hours is made of rounded ones. */
const ROUNDINGS = { '10m': 1, '2h': 2 } as const

const SIZE_MS = { '10m': 600_000, '2h': 7_200_000 } as const

/** The table holds exactly these samples. */
export function assertSamples(table: SeriesTable, samples: RawSamples): void {
  const expected = [...samples].toSorted(([a], [b]) => a - b)
  assert.deepEqual(
    table.times,
    expected.map(([atMs]) => atMs),
  )
  for (const { key, average, extremes } of table.series) {
    assert.equal(extremes, undefined)
    assert.deepEqual(
      [...average],
      expected.map(([, values]) => values.get(key) ?? Number.NaN),
      key,
    )
  }
  assert.deepEqual(table.series.map(({ key }) => key).toSorted(), namesOf(samples))
}

/** The table holds the buckets that ended by `nowMs`: count and extremes are exact, averages as far as their rounding. */
export function assertBuckets(table: SeriesTable, samples: RawSamples, tier: '10m' | '2h', nowMs: number): void {
  const sizeMs = SIZE_MS[tier]
  const ended: RawSamples = new Map([...samples].filter(([atMs]) => atMs < nowMs - (nowMs % sizeMs)))
  const startOf = (atMs: number): number => atMs - (atMs % sizeMs)
  assert.deepEqual(
    table.times,
    [...new Set([...ended.keys()].map(startOf))].toSorted((a, b) => a - b),
  )
  assert.deepEqual(table.series.map(({ key }) => key).toSorted(), namesOf(ended))
  for (const { key, average, extremes } of table.series) {
    const buckets = new Map<number, Bucket>()
    for (const [atMs, values] of ended) {
      const value = values.get(key)
      if (value === undefined) continue
      const bucket = buckets.get(startOf(atMs)) ?? { count: 0, sum: 0, minimum: value, maximum: value }
      buckets.set(startOf(atMs), {
        count: bucket.count + 1,
        sum: bucket.sum + value,
        minimum: Math.min(bucket.minimum, value),
        maximum: Math.max(bucket.maximum, value),
      })
    }
    table.times.forEach((start, at) => {
      const of = { average: average[at], count: extremes?.count[at], minimum: extremes?.minimum[at], maximum: extremes?.maximum[at] }
      const where = `${key} of the ${tier} from ${new Date(start).toISOString()}: ${JSON.stringify(of)}`
      assertBucket(where, of, buckets.get(start), (exact) => ROUNDINGS[tier] * roundingOf(key, exact))
    })
  }
}

function assertBucket(where: string, found: Found, bucket: Bucket | undefined, mayBeOff: (exact: number) => number): void {
  if (bucket === undefined) {
    assert.deepEqual(found, { average: Number.NaN, count: Number.NaN, minimum: Number.NaN, maximum: Number.NaN }, where)
    return
  }
  const { count, sum, minimum, maximum } = bucket
  assert.deepEqual(found, { average: found.average, count, minimum, maximum }, where)
  const exact = sum / count
  const off = Math.abs((found.average ?? Number.NaN) - exact)
  assert.ok(off <= mayBeOff(exact) + 1e-9, `${where}: expected an average of ${exact}`)
}

const namesOf = (samples: RawSamples): readonly string[] =>
  [...new Set([...samples.values()].flatMap((values) => [...values.keys()]))].toSorted()
