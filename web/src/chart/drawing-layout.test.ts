import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { ChartDrawing } from './chart-drawing.ts'
import { layoutOf } from './drawing-layout.ts'

const drawingOf = (values: readonly (number | null)[], below: boolean): ChartDrawing => ({
  unit: 'bytes',
  times: values.map((_, index) => index),
  lines: [
    {
      key: 'a',
      label: 'a',
      colour: '--series-1',
      values,
      below,
      extremes: { minimum: values, maximum: values.map((one) => one && one * 2) },
    },
  ],
  isStacked: false,
  startsAtZero: true,
})

test('layoutOf has an axis that holds every line and the band behind it', () => {
  const values = fc.array(fc.option(fc.integer({ min: 0, max: 1e9 })), { minLength: 1, maxLength: 20 })
  fc.assert(
    fc.property(values, fc.boolean(), (numbers, below) => {
      const { bands, columns, axis } = layoutOf(drawingOf(numbers, below))
      const { upper = [], lower = [] } = bands[0] ?? {}
      upper.forEach((value, index) => assert.ok((value ?? 0) >= (lower[index] ?? 0)))
      for (const value of [...columns, upper, lower].flat()) assert.ok(value === null || (value >= axis.lowest && value <= axis.highest))
    }),
  )
})

test('layoutOf is worked out once for a drawing', () => {
  const drawing = drawingOf([1, null, 3], false)
  assert.equal(layoutOf(drawing), layoutOf(drawing))
})
