import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { runsOf } from './trace.ts'

const column = fc.array(fc.option(fc.integer({ min: -100, max: 100 })), { maxLength: 60 })

/** `perPixel` values to a column of pixels; the first column is 1. */
const traced = (upper: readonly (number | null)[], perPixel: number, lower?: readonly (number | null)[]) =>
  runsOf(
    { times: upper.map((_, index) => index), upper, lower },
    { x: { start: 0.5 / perPixel + 0.5, perUnit: 1 / perPixel }, y: { start: 0, perUnit: 1 } },
  )

const points = (edge: readonly number[]): readonly (readonly [x: number, y: number])[] =>
  edge.flatMap((x, index) => (index % 2 === 0 ? [[x, edge[index + 1] ?? Number.NaN] as const] : []))

test('runsOf draws each value once where each has a column of pixels, and breaks at gaps', () => {
  assert.deepEqual(
    traced([1, 2, null, 5], 1).map(({ line }) => line),
    [
      [1, 1, 2, 2],
      [4, 5],
    ],
  )
  fc.assert(
    fc.property(column, (values) => {
      const known = values.flatMap((value, index) => (value === null ? [] : [[index + 1, value] as const]))
      assert.deepEqual(
        traced(values, 1).flatMap(({ line }) => points(line)),
        known,
      )
    }),
  )
})

test('runsOf keeps the lowest and the highest of each column of pixels, in their order, and at most these two', () => {
  assert.deepEqual(traced([3, 9, 1, 4], 4)[0]?.line, [1, 9, 1, 1])
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: -100, max: 100 }), { minLength: 1, maxLength: 60 }),
      fc.integer({ min: 1, max: 9 }),
      (values, per) => {
        const drawn = points(traced(values, per)[0]?.line ?? [])
        for (let x = 0; x * per < values.length; x++) {
          const there = values.slice(x * per, (x + 1) * per)
          const kept = drawn.filter(([at]) => at === x + 1).map(([, y]) => y)
          assert.ok(kept.length <= 2)
          assert.deepEqual([Math.min(...kept), Math.max(...kept)], [Math.min(...there), Math.max(...there)])
        }
      },
    ),
  )
})

test('runsOf has the area below a line from its highest values to the lowest of the other, where both are known', () => {
  assert.deepEqual(traced([5, 9, 7, 6], 2, [1, 2, 4, 3]), [{ line: [1, 5, 1, 9, 2, 7, 2, 6], top: [1, 5, 2, 6], bottom: [1, 2, 2, 4] }])
  fc.assert(
    fc.property(column, column, (upper, lower) => {
      const runs = traced(upper, 1, lower)
      assert.ok(runs.every(({ top, bottom }) => top.length === bottom.length))
      const known = upper.filter((value, index) => value !== null && (lower[index] ?? null) !== null).length
      assert.equal(runs.flatMap(({ bottom }) => points(bottom)).length, known)
    }),
  )
})
