import assert from 'node:assert/strict'
import fc from 'fast-check'
import { test } from 'node:test'
import { normalDate, recordDate } from './stored-record.ts'

/** The latest time that `Date` can represent, epoch milliseconds. */
const LATEST = 8_640_000_000_000_000

test('recordDate returns the ISO time in UTC with a space instead of the T', () => {
  const time = fc.oneof(fc.integer({ min: -LATEST, max: LATEST }), fc.integer({ min: 0, max: 86_400_000 * 3 }))
  fc.assert(
    fc.property(fc.array(time), (times) => {
      for (const atMs of times) assert.equal(recordDate(atMs), new Date(atMs).toISOString().replace('T', ' '))
    }),
  )
  for (const atMs of [Number.NaN, Number.POSITIVE_INFINITY, LATEST + 1]) assert.throws(() => recordDate(atMs), RangeError)
})

test('normalDate keeps dates of recordDate, and converts time zones and missing times', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 4_000_000_000_000 }), (atMs) => assert.equal(normalDate(recordDate(atMs)), recordDate(atMs))),
  )
  for (const [text, date] of [
    ['2026-02-03', '2026-02-03 00:00:00.000Z'],
    ['2026-02-03T04:05:06+02:00', '2026-02-03 02:05:06.000Z'],
    ['2026-02-03 04:05:06.7', '2026-02-03 04:05:06.700Z'],
    [' 2026-02-03 04:05:06.123456789Z ', '2026-02-03 04:05:06.123Z'],
    ['2026-02-03 04:05', ''],
    ['2026-13-03', ''],
    ['1770000000', ''],
    ['', ''],
  ] as const)
    assert.equal(normalDate(text), date, text)
})
