import assert from 'node:assert/strict'
import { test } from 'node:test'
import { barParts, brushedRange } from './log-bars.ts'

const histogram = {
  fromMs: 1_000,
  toMs: 4_999,
  barMs: 1_000,
  total: 5,
  countedFromMs: undefined,
  bars: [
    { startMs: 1_000, level: 0, entries: 3 },
    { startMs: 1_000, level: 8, entries: 1 },
    { startMs: 4_000, level: 0, entries: 1 },
  ],
}

test('barParts stacks the levels by their counts, with the worst level at the bottom', () => {
  assert.deepEqual(barParts(histogram), [
    { key: '1000 8', level: 8, left: 0, width: 0.25, top: 0.75, height: 0.25 },
    { key: '1000 0', level: 0, left: 0, width: 0.25, top: 0, height: 0.75 },
    { key: '4000 0', level: 0, left: 0.75, width: 0.25, top: 0.75, height: 0.25 },
  ])
  assert.deepEqual(barParts({ ...histogram, bars: [] }), [])
})

test('brushedRange selects whole bars, at least one, in both directions of the drag', () => {
  assert.deepEqual(brushedRange(histogram, 0.3, 0.6), { fromMs: 2_000, toMs: 4_000 })
  assert.deepEqual(brushedRange(histogram, 0.6, 0.3), { fromMs: 2_000, toMs: 4_000 })
  assert.deepEqual(brushedRange(histogram, 0.5, 0.5), { fromMs: 3_000, toMs: 4_000 })
  assert.deepEqual(brushedRange(histogram, -1, 2), { fromMs: 1_000, toMs: 5_000 })
})
