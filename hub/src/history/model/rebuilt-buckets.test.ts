import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pointsOf, samplesOf, type PlainNumber } from '../../../test/plain-points.ts'
import { rebuiltBuckets } from './rebuilt-buckets.ts'
import { emptyTable, type SeriesTable } from './series-table.ts'

const MINUTE_MS = 60_000
const TEN_MS = 600_000

/** Samples of one series at consecutive minutes; `undefined` is unknown. */
const minutes = (key: string, ...values: readonly (number | undefined)[]): SeriesTable =>
  samplesOf(
    values.map((_, minute) => minute * MINUTE_MS),
    { [key]: values },
  )

/** The bucket at time 0. */
const bucket = (numbers: Readonly<Record<string, PlainNumber>>): SeriesTable => ({
  times: [0],
  series: Object.entries(numbers).map(([key, [average, minimum, maximum, count]]) => ({
    key,
    average: Float64Array.of(average),
    extremes: { minimum: Float64Array.of(minimum), maximum: Float64Array.of(maximum), count: Float64Array.of(count) },
  })),
})

const none = Number.NaN
const unknown: PlainNumber = [none, none, none, none]

const cases: readonly {
  readonly what: string
  readonly before: SeriesTable
  readonly finer: SeriesTable
  readonly changed: SeriesTable
  readonly samples: SeriesTable
  readonly expected: Readonly<Record<string, PlainNumber>>
}[] = [
  {
    what: 'are built from the finer tier when there are none',
    before: emptyTable,
    finer: emptyTable,
    changed: minutes('load.oneMinute', 2, 4),
    samples: minutes('load.oneMinute', 2, 4),
    expected: { 'load.oneMinute': [3, 2, 4, 2] },
  },
  {
    what: 'are rebuilt from a complete finer tier, so that a repeated sample counts once',
    before: bucket({ 'load.oneMinute': [3, 2, 4, 2] }),
    finer: minutes('load.oneMinute', 2, undefined, 4),
    changed: minutes('load.oneMinute', 2, undefined, 4, 9),
    samples: minutes('load.oneMinute', undefined, undefined, 4, 9),
    expected: { 'load.oneMinute': [5, 2, 9, 3] },
  },
  {
    what: 'are rebuilt when they count fewer samples than the finer tier',
    before: bucket({ 'load.oneMinute': [3, 2, 4, 1] }),
    finer: minutes('load.oneMinute', 2, 4),
    changed: minutes('load.oneMinute', 2, 4, 9),
    samples: minutes('load.oneMinute', undefined, undefined, 9),
    expected: { 'load.oneMinute': [5, 2, 9, 3] },
  },
  {
    what: 'keep their values when the finer tier is deleted, and new samples are added',
    before: bucket({ 'load.oneMinute': [3, 2, 4, 2] }),
    finer: emptyTable,
    changed: minutes('load.oneMinute', 9),
    samples: minutes('load.oneMinute', 9),
    expected: { 'load.oneMinute': [5, 2, 9, 3] },
  },
  {
    what: 'keep their values when one sample of the finer tier is deleted',
    before: bucket({ 'load.oneMinute': [3, 1, 5, 3] }),
    finer: minutes('load.oneMinute', undefined, 3, 5),
    changed: minutes('load.oneMinute', undefined, 3, 5, 7),
    samples: minutes('load.oneMinute', undefined, undefined, undefined, 7),
    expected: { 'load.oneMinute': [4, 1, 7, 4] },
  },
  {
    what: 'count the samples of each series, without missing values',
    before: bucket({ 'load.oneMinute': [3, 2, 4, 2], 'load.fiveMinutes': [1, 1, 1, 1], 'temperature.a.celsius': unknown }),
    finer: samplesOf([0, MINUTE_MS], { 'load.oneMinute': [2, 4], 'load.fiveMinutes': [undefined, undefined] }),
    changed: samplesOf([0, MINUTE_MS], { 'load.oneMinute': [2, 10], 'load.fiveMinutes': [undefined, undefined] }),
    samples: minutes('load.oneMinute', undefined, 9),
    expected: { 'load.oneMinute': [5, 2, 9, 3], 'load.fiveMinutes': [1, 1, 1, 1] },
  },
  {
    what: 'are compared with the finer tier by number of samples, not of buckets',
    before: bucket({ 'load.oneMinute': [3, 1, 5, 20] }),
    finer: bucket({ 'load.oneMinute': [4, 1, 7, 20] }),
    changed: bucket({ 'load.oneMinute': [4, 1, 7, 21] }),
    samples: minutes('load.oneMinute', 7),
    expected: { 'load.oneMinute': [4, 1, 7, 21] },
  },
]

for (const { what, expected, ...change } of cases) {
  test(`rebuiltBuckets: buckets ${what}`, () => assert.deepEqual(pointsOf(rebuiltBuckets(change, TEN_MS)), [[0, expected]]))
}

test('rebuiltBuckets adds new samples to existing buckets and creates new buckets of the given size', () => {
  const before = bucket({ 'load.oneMinute': [3, 2, 4, 2] })
  const samples = samplesOf([9 * MINUTE_MS, 10 * MINUTE_MS, 11 * MINUTE_MS], { 'load.oneMinute': [6, 8, 10] })
  assert.deepEqual(pointsOf(rebuiltBuckets({ before, finer: emptyTable, changed: samples, samples }, TEN_MS)), [
    [0, { 'load.oneMinute': [4, 2, 6, 3] }],
    [TEN_MS, { 'load.oneMinute': [9, 8, 10, 2] }],
  ])
})
