import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { epochOf, wallTimeAt } from './zoned-time.ts'

const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000

for (const [zone, at, wall] of [
  ['Asia/Kathmandu', Date.UTC(2026, 0, 31, 9, 30), [2026, 1, 31, 15, 15]],
  ['America/St_Johns', Date.UTC(2026, 0, 1, 2, 0), [2025, 12, 31, 22, 30]],
  ['Europe/Berlin', Date.UTC(2026, 6, 1, 22, 0), [2026, 7, 2, 0, 0]],
] as const) {
  test(`wallTimeAt and epochOf are each other's way back in ${zone}`, () => {
    const told = wallTimeAt(at, zone)
    assert.deepEqual([told.year, told.month, told.day, told.hour, told.minute], wall)
    assert.equal(epochOf(told, zone), at)
  })
}

test('epochOf finds every minute again, but for an hour that the clocks have twice', () => {
  const zones = ['UTC', 'Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kathmandu', 'Pacific/Apia']
  const minutes = fc.integer({ min: Date.UTC(2000, 0, 1) / MINUTE_MS, max: Date.UTC(2040, 0, 1) / MINUTE_MS })
  fc.assert(
    fc.property(minutes, fc.constantFrom(...zones), (minute, zone) => {
      const at = minute * MINUTE_MS
      const found = epochOf(wallTimeAt(at, zone), zone)
      assert.ok(found === at || Math.abs(found - at) <= HOUR_MS)
      assert.deepEqual(wallTimeAt(found, zone), wallTimeAt(at, zone))
    }),
  )
})

test('epochOf counts a day before the first of a month into the month before it', () => {
  const first = { year: 2026, month: 3, day: 0, hour: 0, minute: 0 }
  assert.deepEqual(wallTimeAt(epochOf(first, 'UTC'), 'UTC'), { year: 2026, month: 2, day: 28, hour: 0, minute: 0 })
})
