import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { asBuckets, pointsOf, samplesOf, someSamples, type PlainNumber, type PlainPoint } from '../../../test/plain-points.ts'
import { rolledUp } from './roll-up.ts'
import { emptyTable } from './series-table.ts'

const TEN_MS = 600_000
const TWO_HOURS_MS = 7_200_000

/** Buckets by a plain loop over points: averages are not rounded. */
function bucketsOf(points: readonly PlainPoint[], sizeMs: number): readonly PlainPoint[] {
  const buckets = new Map<number, Map<string, PlainNumber[]>>()
  for (const [time, numbers] of points) {
    const start = time - (time % sizeMs)
    const bucket = buckets.get(start) ?? new Map<string, PlainNumber[]>()
    buckets.set(start, bucket)
    for (const [key, number] of Object.entries(numbers)) bucket.set(key, [...(bucket.get(key) ?? []), number])
  }
  return [...buckets].map(([start, bucket]) => [
    start,
    Object.fromEntries([...bucket].map(([key, numbers]) => [key, merged(numbers)] as const)),
  ])
}

function merged(numbers: readonly PlainNumber[]): PlainNumber {
  let [sum, minimum, maximum, count] = [0, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0]
  for (const [average, least, most, samples] of numbers) {
    sum += average * samples
    minimum = Math.min(minimum, least)
    maximum = Math.max(maximum, most)
    count += samples
  }
  return [sum / count, minimum, maximum, count]
}

/** Times, counts and extremes are exact; averages are rounded to hundredths or to bytes. */
function assertBuckets(found: readonly PlainPoint[], expected: readonly PlainPoint[]): void {
  assert.deepEqual(
    found.map(([time, numbers]) => [time, withoutAverages(numbers)]),
    expected.map(([time, numbers]) => [time, withoutAverages(numbers)]),
  )
  for (const [at, [, numbers]] of expected.entries())
    for (const [key, [average]] of Object.entries(numbers)) {
      const off = Math.abs((found[at]?.[1][key]?.[0] ?? Number.NaN) - average)
      assert.ok(off <= (key.endsWith('Bytes') ? 0.5 : 0.005) + 1e-9, `${key} at ${at} is off by ${off}`)
    }
}

function withoutAverages(numbers: Readonly<Record<string, PlainNumber>>) {
  return Object.fromEntries(
    Object.entries(numbers)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, [, ...rest]]) => [key, rest]),
  )
}

const keys = ['cpu.busyPercent', 'memory.usedBytes', 'temperature.a.celsius']
const value = fc.oneof(
  fc.integer({ min: -40, max: 1000 }),
  fc.integer({ min: 0, max: 10_000 }).map((count) => count / 100),
)

test('rolledUp of samples returns the buckets that a plain loop computes', () => {
  fc.assert(
    fc.property(someSamples(keys, value, 60), fc.constantFrom(TEN_MS, TWO_HOURS_MS), (samples, sizeMs) => {
      assertBuckets(pointsOf(rolledUp(samples, sizeMs)), bucketsOf(pointsOf(samples), sizeMs))
    }),
  )
})

test('rolledUp of buckets returns the buckets that a plain loop computes, weighted by sample counts', () => {
  fc.assert(
    fc.property(someSamples(keys, value, 600), fc.integer({ min: 1, max: 9 }), (samples, count) => {
      const tens = rolledUp(samples, TEN_MS)
      assertBuckets(pointsOf(rolledUp(tens, TWO_HOURS_MS)), bucketsOf(pointsOf(tens), TWO_HOURS_MS))
      const given = asBuckets(samples, count)
      assertBuckets(pointsOf(rolledUp(given, TWO_HOURS_MS)), bucketsOf(pointsOf(given), TWO_HOURS_MS))
    }),
  )
})

const MINUTE_MS = 60_000
const of = (key: string, ...values: readonly (number | undefined)[]) =>
  rolledUp(
    samplesOf(
      values.map((_, minute) => minute * MINUTE_MS),
      { [key]: values },
    ),
    TEN_MS,
  )

for (const [what, key, values, average] of [
  ['an average of percentages has two decimals', 'cpu.busyPercent', [1, 2, 2], 1.67],
  ['an average of bytes is a whole number', 'memory.usedBytes', [1, 2, 2], 2],
  ['a large average of bytes has 16 significant bits', 'memory.usedBytes', [9_000_000, 11_000_100], 10_000_128],
  ['an average is never below the minimum', 'cpu.busyPercent', [0.004, 0.004], 0.004],
  ['an average is never above the maximum', 'cpu.busyPercent', [0.006, 0.006], 0.006],
  ['an average of temperatures may be negative', 'temperature.a.celsius', [-20, undefined, -21], -20.5],
  ['an average of zero is positive zero', 'cpu.busyPercent', [-0, -0], 0],
] as const) {
  test(`rolledUp: ${what}`, () => assert.deepEqual([...(of(key, ...values).series[0]?.average ?? [])], [average]))
}

test('rolledUp returns NaN for all numbers of a bucket without a value', () => {
  const { times, series } = rolledUp(samplesOf([0, TEN_MS], { a: [undefined, 4], b: [undefined, undefined] }), TEN_MS)
  assert.deepEqual(times, [0, TEN_MS])
  const none = Number.NaN
  assert.deepEqual(
    series.map(({ key, average, extremes }) => [
      key,
      ...[average, extremes?.minimum, extremes?.maximum, extremes?.count].map((one) => [...(one ?? [])]),
    ]),
    [
      ['a', [none, 4], [none, 4], [none, 4], [none, 1]],
      ['b', [none, none], [none, none], [none, none], [none, none]],
    ],
  )
})

test('rolledUp of no samples is the empty table', () => assert.equal(rolledUp({ times: [], series: [] }, TEN_MS), emptyTable))
