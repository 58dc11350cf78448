import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keptFrom, standardRetention } from '../store/retention.ts'
import { bucketStart, tierFor, type Tier } from './tier.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const NOW_MS = Date.UTC(2026, 0, 31)

const cases: readonly (readonly [string, number, number, number, Tier])[] = [
  ['the last hour', NOW_MS - HOUR_MS, NOW_MS, 1000, '1m'],
  ['an hour of yesterday is as fine as the last one', NOW_MS - DAY_MS, NOW_MS - DAY_MS + HOUR_MS, 1000, '1m'],
  ['a day in a thousand points', NOW_MS - DAY_MS, NOW_MS, 1000, '10m'],
  ['a day in two thousand points', NOW_MS - DAY_MS, NOW_MS, 2000, '1m'],
  ['thirty days', NOW_MS - 30 * DAY_MS, NOW_MS, 1000, '2h'],
  ['an hour older than minutes are kept', NOW_MS - 100 * DAY_MS, NOW_MS - 100 * DAY_MS + HOUR_MS, 1000, '10m'],
  ['more than any tier shows in few points', NOW_MS - 30 * DAY_MS, NOW_MS, 10, '2h'],
]

for (const [name, fromMs, toMs, points, expected] of cases) {
  test(`tierFor ${name} is ${expected}`, () => {
    assert.equal(tierFor({ fromMs, toMs }, points, keptFrom(standardRetention, [], NOW_MS)), expected)
  })
}

test('bucketStart is the multiple of the size at or before the time', () => {
  assert.equal(bucketStart(1_199_999, 600_000), 600_000)
  assert.equal(bucketStart(1_200_000, 600_000), 1_200_000)
})
