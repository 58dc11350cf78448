import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { bandsOf } from './bands.ts'
import type { ChartLine } from './chart-drawing.ts'
import { drawnExtent } from './plot-columns.ts'

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
})

test('drawnExtent holds every band', () => {
  const values = fc.array(fc.integer({ min: 0, max: 1e9 }), { minLength: 1, maxLength: 20 })
  fc.assert(
    fc.property(values, fc.boolean(), (numbers, below) => {
      const maximum = numbers.map((value) => value * 2)
      const drawing = {
        isStacked: false,
        times: numbers,
        lines: [line('a', { values: numbers, extremes: { minimum: numbers, maximum }, below })],
      }
      const extent = drawnExtent(drawing)
      for (const { upper, lower } of bandsOf(drawing)) {
        upper.forEach((value, index) => assert.ok((value ?? 0) >= (lower[index] ?? 0)))
        for (const value of [...upper, ...lower])
          assert.ok(extent !== undefined && (value ?? 0) >= extent.lowest && (value ?? 0) <= extent.highest)
      }
    }),
  )
})
