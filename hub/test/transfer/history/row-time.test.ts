import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { pairsOf, parseRowTime, tensOf } from '../../../src/operations/transfer/history/row-time.ts'

const MINUTE_MS = 60_000
const at = (time: string): number => Date.parse(`2026-11-20T${time}Z`)
const clock = (times: readonly number[]): readonly string[] => times.map((time) => new Date(time).toISOString().slice(11, 16))

for (const [text, iso] of [
  ['2026-11-23 14:37:00.041Z', '2026-11-23T14:37:00.041Z'],
  ['2026-11-23 14:37:00Z', '2026-11-23T14:37:00.000Z'],
  ['2026-11-23T14:37:00.5Z', '2026-11-23T14:37:00.500Z'],
  ['2026-11-23 14:37:00.041426797 +0000 UTC', '2026-11-23T14:37:00.041Z'],
] as const)
  test(`parseRowTime reads ${text}`, () => assert.equal(new Date(parseRowTime(text) ?? 0).toISOString(), iso))

for (const value of ['', 'yesterday', '2026-13-40 14:37:00Z', '2026-11-23 14:37:00+01:00', 1_764_000_000_000, null, new Uint8Array(3)])
  test(`parseRowTime leaves out ${String(value)}`, () => assert.equal(parseRowTime(value), undefined))

test('tensOf: an average of 10 min belongs to the ten minutes that ended a moment before it was made', () => {
  assert.deepEqual(clock(tensOf('10m', at('14:30:00.041'))), ['14:20'])
  assert.deepEqual(clock(tensOf('10m', at('14:34:59.999'))), ['14:20'], 'a slow hub')
  assert.deepEqual(clock(tensOf('10m', at('14:29:59.990'))), ['14:20'], 'a clock that was set back a little')
  assert.deepEqual(clock(tensOf('10m', at('14:35:00.000'))), ['14:30'])
})

test('tensOf: an average of 20 min has two buckets, from any full ten minutes', () => {
  assert.deepEqual(clock(tensOf('20m', at('14:40:01'))), ['14:20', '14:30'])
  assert.deepEqual(clock(tensOf('20m', at('14:50:01'))), ['14:30', '14:40'])
})

test('pairsOf: an average of 2 h belongs to the bucket that it overlaps most, to the earlier one at the border', () => {
  assert.deepEqual(clock(pairsOf('120m', at('14:00:00.041'))), ['12:00'])
  assert.deepEqual(clock(pairsOf('120m', at('14:50:00.041'))), ['12:00'])
  assert.deepEqual(clock(pairsOf('120m', at('15:00:00.041'))), ['12:00'], '60 minutes in each')
  assert.deepEqual(clock(pairsOf('120m', at('15:10:00.041'))), ['14:00'])
})

test('pairsOf: an average of 8 h fills four buckets', () => {
  assert.deepEqual(clock(pairsOf('480m', at('16:00:00.041'))), ['08:00', '10:00', '12:00', '14:00'])
  assert.deepEqual(clock(pairsOf('480m', at('17:00:00.041'))), ['08:00', '10:00', '12:00', '14:00'], 'the border')
  assert.deepEqual(clock(pairsOf('480m', at('17:10:00.041'))), ['10:00', '12:00', '14:00', '16:00'])
})

test('pairsOf: periods that follow one another never share a bucket, and overlap theirs by an hour or more', () => {
  const period = fc.record({ tens: fc.integer({ min: 0, max: 5_000_000 }), lateMs: fc.integer({ min: 0, max: 299_000 }) })
  fc.assert(
    fc.property(period, period, ({ tens, lateMs }, next) => {
      const endMs = tens * 10 * MINUTE_MS
      const [first = 0] = pairsOf('120m', endMs + lateMs)
      assert.ok(Math.min(first + 120 * MINUTE_MS, endMs) - Math.max(first, endMs - 120 * MINUTE_MS) >= 60 * MINUTE_MS)
      assert.deepEqual(pairsOf('120m', endMs + 120 * MINUTE_MS + next.lateMs), [first + 120 * MINUTE_MS])
    }),
  )
})
