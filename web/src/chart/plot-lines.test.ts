import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { dotWithin, runsOf } from './plot-lines.ts'

const column = fc.array(fc.option(fc.integer({ min: -100, max: 100 })), { maxLength: 60 })

/** `perPixel` values per pixel column; the first column is 1. */
const traced = (upper: readonly (number | null)[], perPixel: number, lower?: readonly (number | null)[]) =>
  runsOf(
    { times: upper.map((_, index) => index), upper, lower },
    { x: { start: 0.5 / perPixel + 0.5, perUnit: 1 / perPixel }, y: { start: 0, perUnit: 1 } },
  )

const points = (edge: readonly number[]): readonly (readonly [x: number, y: number])[] =>
  edge.flatMap((x, index) => (index % 2 === 0 ? [[x, edge[index + 1] ?? Number.NaN] as const] : []))

test('runsOf draws each value once if each has its own pixel column, and starts a new run after a gap', () => {
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

test('runsOf keeps only the lowest and the highest value of each pixel column, in their order', () => {
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

test('runsOf fills from the highest values of a line to the lowest of the other, where both are known', () => {
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

test('runsOf positions times and values by start and scale', () => {
  const placing = { x: { start: 100, perUnit: 0.5 }, y: { start: 50, perUnit: -2 } }
  assert.deepEqual(runsOf({ times: [0, 10, 20, 30], upper: [1, 2, null, 0] }, placing), [
    { line: [100, 48, 105, 46], top: [100, 48, 105, 46], bottom: [] },
    { line: [115, 50], top: [115, 50], bottom: [] },
  ])
  assert.deepEqual(runsOf({ times: [], upper: [] }, placing), [])
  assert.deepEqual(runsOf({ times: [0], upper: [null] }, placing), [])
})

test('runsOf draws the lower edge of an area at the lowest values when pixels count downwards', () => {
  const placing = { x: { start: 0, perUnit: 0.1 }, y: { start: 0, perUnit: -1 } }
  const [run] = runsOf({ times: [0, 1, 2, 10], upper: [5, 9, 7, 6], lower: [3, 1, 2, 4] }, placing)
  assert.deepEqual(run, { line: [0, -5, 0, -9, 1, -6], top: [0, -9, 1, -6], bottom: [0, -1, 1, -4] })
})

test('runsOf draws the two extremes of a pixel column in their order of time', () => {
  assert.deepEqual(traced([1, 9], 2)[0]?.line, [1, 1, 1, 9])
  assert.deepEqual(traced([9, 1], 2)[0]?.line, [1, 9, 1, 1])
  assert.deepEqual(traced([5, 1, 9], 3)[0]?.line, [1, 1, 1, 9])
  assert.deepEqual(traced([5, 9, 1], 3)[0]?.line, [1, 9, 1, 1])
  assert.deepEqual(traced([5, 5], 2)[0]?.line, [1, 5])
})

test('dotWithin moves a dot away from the edges of the plot, and does not move other dots', () => {
  const box = { left: 100, top: 10, width: 200, height: 50 }
  assert.deepEqual(dotWithin(box, [150, 30], 3), [150, 30])
  assert.deepEqual(dotWithin(box, [100, 10], 3), [103, 13])
  assert.deepEqual(dotWithin(box, [300, 60], 3), [297, 57])
})
