import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stripDrawing } from './strip-drawing.ts'

const size = { width: 100, height: 58 }
const known = { fromMs: 0, toMs: 1000, minutes: 1, episodes: [], line: [0, 50, null, 100, null] }

test('stripDrawing breaks the line at unknown values, and has the position of each threshold', () => {
  assert.equal(stripDrawing(known, [50], size).lines, 'M0 54L25 29M73.8 4h2.4')
  assert.deepEqual(stripDrawing(known, [50, 100], size).thresholdYs, [29, 4])
})

test('stripDrawing keeps a threshold above all values visible, and draws no line without values', () => {
  assert.deepEqual(stripDrawing({ ...known, line: [10, 20] }, [80], size), { lines: 'M0 47.8L100 41.5', thresholdYs: [4], marks: [] })
  assert.deepEqual(stripDrawing({ ...known, line: [] }, [80], size), { lines: '', thresholdYs: [4], marks: [] })
})

test('stripDrawing marks the times at which the alert would have fired, wide enough to be visible', () => {
  const episodes = [
    { beganMs: 100, endedMs: 101, value: 1, target: undefined },
    { beganMs: 500, endedMs: undefined, value: 1, target: undefined },
  ]
  assert.deepEqual(stripDrawing({ ...known, episodes }, [50], size).marks, [
    { x: 10, width: 2 },
    { x: 50, width: 50 },
  ])
})
