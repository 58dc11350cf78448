import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keptFrom, standardRetention } from '../store/retention.ts'
import { bucketMs, bucketStart, monthStart, tierFor, tiers, type Tier } from './tier.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const NOW_MS = Date.UTC(2026, 0, 31)

const cases: readonly (readonly [string, number, number, number, Tier])[] = [
  ['the last hour', NOW_MS - HOUR_MS, NOW_MS, 1000, '1m'],
  ['an hour of yesterday', NOW_MS - DAY_MS, NOW_MS - DAY_MS + HOUR_MS, 1000, '1m'],
  ['a day with at most 1000 points', NOW_MS - DAY_MS, NOW_MS, 1000, '10m'],
  ['a day with at most 2000 points', NOW_MS - DAY_MS, NOW_MS, 2000, '1m'],
  ['thirty days', NOW_MS - 30 * DAY_MS, NOW_MS, 1000, '2h'],
  ['an hour older than the retention of the 1-minute tier', NOW_MS - 100 * DAY_MS, NOW_MS - 100 * DAY_MS + HOUR_MS, 1000, '10m'],
  ['thirty days with at most 10 points', NOW_MS - 30 * DAY_MS, NOW_MS, 10, '2h'],
]

for (const [name, fromMs, toMs, points, expected] of cases) {
  test(`tierFor ${name} is ${expected}`, () => {
    assert.equal(tierFor({ fromMs, toMs }, points, keptFrom(standardRetention, [], NOW_MS)), expected)
  })
}

test('tierFor returns the finest tier that covers the whole window with at most the given number of points', () => {
  const kept = { '1m': NOW_MS - DAY_MS, '10m': NOW_MS - 2 * DAY_MS, '2h': 0 }
  const of = (fromMs: number, points: number) => tierFor({ fromMs, toMs: NOW_MS }, points, kept)
  assert.equal(of(NOW_MS - DAY_MS, 1440), '1m')
  assert.equal(of(NOW_MS - DAY_MS, 1439), '10m')
  assert.equal(of(NOW_MS - DAY_MS - 1, 2000), '10m')
  assert.equal(of(NOW_MS - 2 * DAY_MS, 288), '10m')
  assert.equal(of(NOW_MS - 2 * DAY_MS - 1, 2000), '2h')
})

test('the tiers are 1 min, 10 min and 2 h, finest first', () => {
  assert.deepEqual(
    tiers.map((tier) => [tier, bucketMs[tier]]),
    [
      ['1m', 60_000],
      ['10m', 600_000],
      ['2h', 7_200_000],
    ],
  )
})

test('monthStart returns the start of the month in UTC', () => {
  assert.equal(monthStart(Date.UTC(2024, 1, 29, 23, 59)), Date.UTC(2024, 1, 1))
  assert.equal(monthStart(Date.UTC(2025, 11, 1)), Date.UTC(2025, 11, 1))
})

test('bucketStart returns the multiple of the bucket size at or before the time', () => {
  assert.equal(bucketStart(1_199_999, 600_000), 600_000)
  assert.equal(bucketStart(1_200_000, 600_000), 1_200_000)
})
