import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { asBuckets, pointsOf, samplesOf, someSamples, type PlainPoint } from '../../../test/plain-points.ts'
import { emptyTable, extremesOf, mergeTables, joinTables, rowsWithin, type SeriesTable } from './series-table.ts'

const value = fc.integer({ min: 1, max: 9 })
/** Few times, so that tables share some. Some tables are buckets; their series are in any order. */
const table = fc
  .tuple(
    fc.shuffledSubarray(['a', 'b', 'c'], { minLength: 1 }).chain((keys) => fewSamples(keys)),
    fc.boolean(),
  )
  .map(([samples, areBuckets]) => (areBuckets ? asBuckets(samples, 5) : samples))

function fewSamples(keys: readonly string[]): fc.Arbitrary<SeriesTable> {
  return someSamples(keys, value, 0.0005)
}

const ordered = (points: readonly PlainPoint[]) => points.toSorted(([a], [b]) => a - b)

test('joinTables keeps the last table’s complete point of each time', () => {
  fc.assert(
    fc.property(fc.array(table, { maxLength: 4 }), (tables) => {
      const last = new Map(tables.flatMap(pointsOf))
      assert.deepEqual(pointsOf(joinTables(tables)), ordered([...last]))
    }),
    { numRuns: 300 },
  )
})

test('joinTables joins tables of separate time ranges in any order', () => {
  fc.assert(
    fc.property(fc.array(table, { maxLength: 5 }), fc.array(fc.integer(), { minLength: 5, maxLength: 5 }), (tables, order) => {
      const apart = tables.map(({ times, series }, at) => ({ times: times.map((time) => time + at * 1000), series }))
      const shuffled = apart.map((one, at) => ({ one, by: order[at] ?? 0 })).toSorted((a, b) => a.by - b.by)
      const whole = joinTables(shuffled.map(({ one }) => one))
      assert.deepEqual(pointsOf(whole), apart.flatMap(pointsOf))
      const kinds = apart.filter(({ times }) => times.length > 0)
      const keys = [...new Set(kinds.flatMap(({ series }) => series.map(({ key }) => key)))]
      if (kinds.length > 1)
        assert.deepEqual(
          whole.series.map(({ key }) => key),
          keys.toSorted(),
        )
    }),
    { numRuns: 300 },
  )
})

test('mergeTables keeps all points, and orders points of the same time by their tables', () => {
  fc.assert(
    fc.property(fc.array(table, { maxLength: 4 }), (tables) => {
      assert.deepEqual(pointsOf(mergeTables(tables)), ordered(tables.flatMap(pointsOf)))
    }),
    { numRuns: 300 },
  )
})

test('rowsWithin returns the points of a half-open window without series that have no value there', () => {
  fc.assert(
    fc.property(table, fc.integer({ min: -5, max: 35 }), fc.integer({ min: -5, max: 35 }), (whole, fromMs, toMs) => {
      const part = rowsWithin(whole, fromMs, toMs)
      assert.deepEqual(
        pointsOf(part),
        pointsOf(whole).filter(([time]) => time >= fromMs && time < toMs),
      )
      if (part !== whole) assert.ok(part.series.every(({ average }) => average.some((one) => !Number.isNaN(one))))
    }),
    { numRuns: 300 },
  )
})

const samples = samplesOf([1, 2, 3], { a: [1, undefined, 3], b: [undefined, 2, undefined] })
const buckets = asBuckets(samplesOf([3, 4], { a: [7, 8] }), 5)
const NONE = Number.NaN
const listsOf = ({ series }: SeriesTable) =>
  series.map(({ key, average, extremes }) => ({
    key,
    average: [...average],
    ...(extremes && { minimum: [...extremes.minimum], maximum: [...extremes.maximum], count: [...extremes.count] }),
  }))

test('rowsWithin returns the same table if all points are within, and the empty table if none are', () => {
  assert.equal(rowsWithin(samples, 1, 4), samples)
  assert.equal(rowsWithin(samples, 4, 9), emptyTable)
  assert.equal(rowsWithin(samples, 3, 2), emptyTable)
})

test('joinTables returns the only table with points itself, and the empty table for no points', () => {
  assert.equal(joinTables([emptyTable, samples, emptyTable]), samples)
  assert.equal(joinTables([]), emptyTable)
  assert.equal(joinTables([emptyTable]), emptyTable)
})

test('joinTables adds extremes to samples only beside buckets', () => {
  const later = samplesOf([4], { a: [4] })
  assert.deepEqual(listsOf(joinTables([later, samples])), [
    { key: 'a', average: [1, NONE, 3, 4] },
    { key: 'b', average: [NONE, 2, NONE, NONE] },
  ])
  const mixed = [
    { key: 'a', average: [1, NONE, 7, 8], minimum: [1, NONE, 6, 7], maximum: [1, NONE, 8, 9], count: [1, NONE, 5, 5] },
    { key: 'b', average: [NONE, 2, NONE, NONE] },
  ]
  assert.deepEqual(listsOf(joinTables([samples, buckets])), mixed)
  const follows = asBuckets(samplesOf([4, 5], { a: [7, 8] }), 5)
  assert.deepEqual(listsOf(joinTables([follows, samples])), [
    { key: 'a', average: [1, NONE, 3, 7, 8], minimum: [1, NONE, 3, 6, 7], maximum: [1, NONE, 3, 8, 9], count: [1, NONE, 1, 5, 5] },
    { key: 'b', average: [NONE, 2, NONE, NONE, NONE] },
  ])
})

test('mergeTables keeps both points of the same time, the earlier table’s first', () => {
  const both = mergeTables([samples, buckets])
  assert.deepEqual(both.times, [1, 2, 3, 3, 4])
  assert.deepEqual(listsOf(both), [
    { key: 'a', average: [1, NONE, 3, 7, 8], minimum: [1, NONE, 3, 6, 7], maximum: [1, NONE, 3, 8, 9], count: [1, NONE, 1, 5, 5] },
    { key: 'b', average: [NONE, 2, NONE, NONE, NONE] },
  ])
  const other = mergeTables([samplesOf([5], { a: [1] }), samplesOf([2, 5], { b: [2, 3] })])
  assert.deepEqual(other.times, [2, 5, 5])
  assert.deepEqual(listsOf(other), [
    { key: 'a', average: [NONE, 1, NONE] },
    { key: 'b', average: [2, NONE, 3] },
  ])
})

test('extremesOf a sample returns its value as minimum and maximum, and count 1 where it has a value', () => {
  const [a] = samples.series
  assert.ok(a)
  const { minimum, maximum, count } = extremesOf(a)
  assert.deepEqual(
    [[...minimum], [...maximum], [...count]],
    [
      [1, NONE, 3],
      [1, NONE, 3],
      [1, NONE, 1],
    ],
  )
  const [of] = buckets.series
  assert.ok(of)
  assert.equal(extremesOf(of), of.extremes)
})
