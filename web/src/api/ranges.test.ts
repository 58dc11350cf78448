import assert from 'node:assert/strict'
import { test } from 'node:test'
import { defaultRange, rangeOf } from './ranges.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

for (const [id, recordType, intervalMinutes, spanHours] of [
  ['1h', '1m', 1, 1],
  ['12h', '10m', 10, 12],
  ['24h', '20m', 20, 24],
  ['1w', '120m', 120, 7 * 24],
  ['30d', '480m', 480, 30 * 24],
] as const) {
  test(`§9 time ranges: ${id} reads ${recordType} records of the last ${spanHours} hours, ${intervalMinutes} minutes apart`, () => {
    assert.deepEqual(rangeOf(id), { id, recordType, spanMs: spanHours * HOUR_MS, intervalMs: intervalMinutes * MINUTE_MS })
  })
}

test('§9 time ranges: the default is 1h', () => assert.equal(defaultRange.id, '1h'))

test('rangeOf is undefined for an unknown range', () => assert.equal(rangeOf('2h'), undefined))
