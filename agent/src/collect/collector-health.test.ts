import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { afterReading, isResting, unknownHealth, type CollectorHealth, type CollectorOutcome } from './collector-health.ts'

const overran = (atMs: number): CollectorOutcome => ({ kind: 'overran', atMs, costMs: 500, error: 'late' })
const after = (...readings: readonly CollectorOutcome[]): CollectorHealth => readings.reduce(afterReading, unknownHealth)

for (const [overruns, restMs] of [
  [2, 0],
  [3, 60_000],
  [4, 120_000],
  [7, 600_000],
  [40, 600_000],
] as const) {
  test(`afterReading pauses a collector after ${overruns} overruns in a row for ${restMs} ms`, () => {
    const health = after(...Array.from({ length: overruns }, () => overran(1000)))
    assert.equal(isResting(health, 1000 + restMs - 1), restMs > 0)
    assert.equal(isResting(health, 1000 + restMs), false)
  })
}

test('afterReading does not pause a collector after a quick failure and keeps the time of its last good reading', () => {
  const health = after({ kind: 'value', atMs: 5, costMs: 1 }, { kind: 'failed', atMs: 9, costMs: 1, error: 'gone' })
  assert.deepEqual(health, { outcome: 'failed', lastGoodAtMs: 5, lastCostMs: 1, lastError: 'gone', overruns: 0 })
})

test('afterReading ends the pause and clears the error after one good reading', () => {
  const readings = fc.array(
    fc.constantFrom<CollectorOutcome>(
      overran(10),
      { kind: 'failed', atMs: 10, costMs: 0, error: 'no' },
      { kind: 'value', atMs: 10, costMs: 0 },
    ),
  )
  fc.assert(
    fc.property(readings, (some) => {
      const health = after(...some, { kind: 'missing', atMs: 20, costMs: 2 })
      assert.deepEqual(health, { outcome: 'missing', lastGoodAtMs: 20, lastCostMs: 2, overruns: 0 })
    }),
  )
})
