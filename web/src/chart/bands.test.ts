import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bandsOf } from './bands.ts'
import type { ChartLine } from './chart-drawing.ts'

const extremes = { minimum: [1, null], maximum: [9, null] }
const line = (key: string, more: Partial<ChartLine> = {}): ChartLine => ({
  key,
  label: key,
  colour: '--series-1',
  values: [4, null],
  ...more,
})

test('bandsOf lays a band behind a line that stands alone', () => {
  const alone = line('a', { extremes })
  assert.deepEqual(bandsOf({ isStacked: false, lines: [alone] }), [{ line: alone, upper: [9, null], lower: [1, null] }])
})

test('bandsOf lays one behind each of two lines that oppose each other, turned where the line is', () => {
  const [up, down] = [line('up', { extremes }), line('down', { extremes, below: true })]
  assert.deepEqual(bandsOf({ isStacked: false, lines: [up, down] }), [
    { line: up, upper: [9, null], lower: [1, null] },
    { line: down, upper: [-1, null], lower: [-9, null] },
  ])
})

test('bandsOf has none in stacks, behind lines that share a side, and without extremes', () => {
  const one = line('a', { extremes })
  assert.deepEqual(bandsOf({ isStacked: true, lines: [one] }), [])
  assert.deepEqual(bandsOf({ isStacked: false, lines: [one, line('b', { extremes })] }), [])
  assert.deepEqual(bandsOf({ isStacked: false, lines: [line('c')] }), [])
  const [first, second] = [line('a', { extremes, below: true }), line('b', { extremes, below: true })]
  assert.deepEqual(bandsOf({ isStacked: false, lines: [first, second] }), [])
  const [up, down] = [line('a', { extremes }), line('b', { below: true })]
  assert.deepEqual(
    bandsOf({ isStacked: false, lines: [up, down] }).map((band) => band.line),
    [up],
  )
})
