import assert from 'node:assert/strict'
import { test } from 'node:test'
import { forecastOf } from './forecast.ts'
import { keptFrom, standardRetention, type DaySize } from '../store/retention.ts'
import { DAY_MS } from '../model/tier.ts'

const NOW_MS = Date.UTC(2026, 2, 1)
/** 1000 bytes a day of the 1-minute tier and 100 of the 10-minute tier, for 30 days. */
const sizes: readonly DaySize[] = Array.from({ length: 30 }, (_, at) => NOW_MS - (30 - at) * DAY_MS).flatMap((day): DaySize[] => [
  { tier: '1m', day, blocks: 2, bytes: 1000 },
  { tier: '10m', day, blocks: 2, bytes: 100 },
])

test('forecastOf returns the stored bytes, the bytes per day and the final size', () => {
  const { storedBytes, bytesPerDay, finalBytes, tiers } = forecastOf(sizes, standardRetention, NOW_MS)
  assert.deepEqual([storedBytes, bytesPerDay, finalBytes], [33_000, 1100, 90_000 + 36_500])
  assert.deepEqual(tiers['1m'], { blocks: 60, storedBytes: 30_000, oldestMs: NOW_MS - 30 * DAY_MS, bytesPerDay: 1000, reachDays: 90 })
  assert.deepEqual(tiers['2h'], { blocks: 0, storedBytes: 0, oldestMs: undefined, bytesPerDay: 0, reachDays: 1825 })
})

test('forecastOf shortens the finest tier first when the size is limited', () => {
  const reach = (mostBytes: number) => {
    const { tiers, finalBytes } = forecastOf(sizes, { ...standardRetention, mostBytes }, NOW_MS)
    return [tiers['1m'].reachDays, tiers['10m'].reachDays, finalBytes]
  }
  assert.deepEqual(reach(100_000), [63, 365, 99_500])
  assert.deepEqual(reach(30_000), [2, 280, 30_000])
})

test('forecastOf extrapolates from hours while the hub has no complete day', () => {
  const young: readonly DaySize[] = [{ tier: '1m', day: NOW_MS, blocks: 2, bytes: 100 }]
  assert.equal(forecastOf(young, standardRetention, NOW_MS + DAY_MS / 4).bytesPerDay, 400)
  assert.equal(forecastOf([], standardRetention, NOW_MS).bytesPerDay, 0)
})

test('keptFrom returns each tier’s start; a size limit shortens the finest tier first by whole days, except the last two', () => {
  assert.deepEqual(keptFrom(standardRetention, sizes, NOW_MS)['1m'], NOW_MS - 90 * DAY_MS)
  const capped = (mostBytes: number) => keptFrom({ ...standardRetention, mostBytes }, sizes, NOW_MS)
  assert.deepEqual(capped(32_500)['1m'], NOW_MS - 29 * DAY_MS)
  assert.deepEqual(capped(33_000)['1m'], NOW_MS - 90 * DAY_MS)
  assert.equal(capped(1)['1m'], NOW_MS - DAY_MS)
  assert.equal(capped(1)['10m'], NOW_MS - DAY_MS)
})
