import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { paceFor } from './log-pace.ts'

/** Runs steps over rows with the given cost until the time budget ends. Returns the sizes of the steps and their total time. */
function walk(budgetMs: number, rowMs: (row: number) => number) {
  let nowMs = 0
  const pace = paceFor(budgetMs, () => nowMs)
  const steps: number[] = []
  for (let row = 0, size = pace.next(); size > 0 && steps.length < 500; size = pace.next()) {
    for (let at = 0; at < size; at++) nowMs += rowMs(row++)
    pace.done(size)
    steps.push(size)
  }
  return { steps, tookMs: nowMs }
}

test('paceFor stays within its time budget after the first step, whatever the cost of a row', () => {
  fc.assert(
    fc.property(fc.double({ min: 0.0005, max: 0.04, noNaN: true }), (rowMs) => {
      const { steps, tookMs } = walk(50, () => rowMs)
      assert.ok(tookMs <= 50, `${tookMs} ms in ${steps.join(', ')}`)
      assert.equal(steps[0], 1_000)
    }),
  )
})

test('paceFor takes the first step at once and limits steps to the rows that fit in memory', () => {
  assert.deepEqual(walk(50, () => 1).steps, [1_000])
  assert.equal(Math.max(...walk(50, () => 0.00001).steps), 50_000)
})
