import assert from 'node:assert/strict'
import fc from 'fast-check'
import { test } from 'node:test'
import { recordDate } from './stored-record.ts'

/** The latest time that `Date` can represent, epoch milliseconds. */
const LATEST = 8_640_000_000_000_000

test('recordDate is the time of the standard in UTC, with a space, whatever was written before', () => {
  const time = fc.oneof(fc.integer({ min: -LATEST, max: LATEST }), fc.integer({ min: 0, max: 86_400_000 * 3 }))
  fc.assert(
    fc.property(fc.array(time), (times) => {
      for (const atMs of times) assert.equal(recordDate(atMs), new Date(atMs).toISOString().replace('T', ' '))
    }),
  )
  for (const atMs of [Number.NaN, Number.POSITIVE_INFINITY, LATEST + 1]) assert.throws(() => recordDate(atMs), RangeError)
})
