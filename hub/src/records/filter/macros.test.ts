import assert from 'node:assert/strict'
import { test } from 'node:test'
import { macroValue } from './macros.ts'

/** A Thursday, a leap day, one millisecond before its last one. */
const LEAP_DAY_MS = Date.UTC(2024, 1, 29, 23, 59, 58, 7)

for (const [name, expected] of [
  ['@now', '2024-02-29 23:59:58.007Z'],
  ['@yesterday', '2024-02-28 23:59:58.007Z'],
  ['@tomorrow', '2024-03-01 23:59:58.007Z'],
  ['@todayStart', '2024-02-29 00:00:00.000Z'],
  ['@todayEnd', '2024-02-29 23:59:59.999Z'],
  ['@monthStart', '2024-02-01 00:00:00.000Z'],
  ['@monthEnd', '2024-02-29 23:59:59.999Z'],
  ['@yearStart', '2024-01-01 00:00:00.000Z'],
  ['@yearEnd', '2024-12-31 23:59:59.999Z'],
  ['@second', 58],
  ['@minute', 59],
  ['@hour', 23],
  ['@day', 29],
  ['@month', 2],
  ['@weekday', 4],
  ['@year', 2024],
  ['@nothing', undefined],
  ['constructor', undefined],
] as const) {
  test(`macroValue: ${name} is ${expected}`, () => assert.equal(macroValue(name, LEAP_DAY_MS), expected))
}

test('macroValue: the end of the year is that of the year it is in', () => {
  assert.equal(macroValue('@monthEnd', Date.UTC(2025, 11, 31)), '2025-12-31 23:59:59.999Z')
  assert.equal(macroValue('@todayEnd', Date.UTC(2025, 11, 31)), '2025-12-31 23:59:59.999Z')
  assert.equal(macroValue('@weekday', Date.UTC(2025, 5, 1)), 0)
})
