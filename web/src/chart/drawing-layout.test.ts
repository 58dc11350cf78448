import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { ChartDrawing, ChartLine } from './chart-drawing.ts'
import { bandsOf, columnsOf, extentOf, layoutOf } from './drawing-layout.ts'

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

test('layoutOf has an axis that includes every line and its band', () => {
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

test('layoutOf draws a single line from its values, and its band from its extremes', () => {
  const drawing = drawingOf([1, null, 3], false)
  const { columns, bands } = layoutOf(drawing)
  assert.equal(columns[0], drawing.lines[0]?.values)
  assert.equal(bands[0]?.upper, drawing.lines[0]?.extremes?.maximum)
})

test('layoutOf is computed once per drawing', () => {
  const drawing = drawingOf([1, null, 3], false)
  assert.equal(layoutOf(drawing), layoutOf(drawing))
})

const line = (key: string, values: readonly (number | null)[], below = false) => ({ key, label: key, colour: '--series-1', values, below })
const times = [1, 2, 3]

test('columnsOf stacks each line on the previous lines', () => {
  assert.deepEqual(columnsOf({ times, isStacked: true, lines: [line('a', [1, 2, 3]), line('b', [10, 20, 30])] }), [
    [1, 2, 3],
    [11, 22, 33],
  ])
})

test('columnsOf keeps a gap where no line has a value, and closes a gap where another line has one', () => {
  assert.deepEqual(columnsOf({ times, isStacked: true, lines: [line('a', [null, null, 3]), line('b', [10, null, null])] }), [
    [0, null, 3],
    [10, null, 3],
  ])
})

test('columnsOf mirrors lines below zero', () => {
  assert.deepEqual(columnsOf({ times, isStacked: false, lines: [line('a', [1, null, 3], true)] }), [[-1, null, -3]])
})

test('columnsOf adds 0 after the end of a shorter line, and 0 for a line without values', () => {
  assert.deepEqual(columnsOf({ times, isStacked: true, lines: [line('a', [1]), line('b', [null, 2, null])] }), [
    [1, 0, null],
    [1, 2, null],
  ])
  assert.deepEqual(columnsOf({ times, isStacked: false, lines: [line('a', [1, null, 3])] }), [[1, null, 3]])
})

test('extentOf is undefined without values', () => {
  assert.equal(extentOf([[null], []]), undefined)
  assert.deepEqual(extentOf([[5, 2, 4]]), { lowest: 2, highest: 5 })
  assert.deepEqual(extentOf([[7]]), { lowest: 7, highest: 7 })
  assert.deepEqual(extentOf([[3, null], [-1]]), { lowest: -1, highest: 3 })
})

test('columnsOf reads the values of many lines with gaps a few times, not once per other line', () => {
  const [count, times] = [300, [1, 2, 3, 4]]
  let reads = 0
  const counted = (values: readonly (number | null)[]) =>
    new Proxy(values, {
      get: (target, name, receiver): unknown => {
        reads++
        return Reflect.get(target, name, receiver)
      },
    })
  const lines = Array.from({ length: count }, (_, index) => ({
    key: `${index}`,
    label: `${index}`,
    colour: '--series-1',
    values: counted(index < count - 1 ? [null, null, null, null] : [null, 1, 2, 3]),
  }))
  const columns = columnsOf({ lines, isStacked: true, times })
  assert.deepEqual(
    [columns[0], columns.at(-1)],
    [
      [null, 0, 0, 0],
      [null, 1, 2, 3],
    ],
  )
  assert.ok(reads <= 4 * count * times.length, `${reads} reads`)
})

const extremes = { minimum: [1, null], maximum: [9, null] }
const extremeLine = (key: string, more: Partial<ChartLine> = {}): ChartLine => ({
  key,
  label: key,
  colour: '--series-1',
  values: [4, null],
  ...more,
})

test('bandsOf returns a band for a single line', () => {
  const alone = extremeLine('a', { extremes })
  assert.deepEqual(bandsOf({ isStacked: false, lines: [alone] }), [{ line: alone, upper: [9, null], lower: [1, null] }])
})

test('bandsOf returns a band for each of two opposite lines, mirrored for a mirrored line', () => {
  const [up, down] = [extremeLine('up', { extremes }), extremeLine('down', { extremes, below: true })]
  assert.deepEqual(bandsOf({ isStacked: false, lines: [up, down] }), [
    { line: up, upper: [9, null], lower: [1, null] },
    { line: down, upper: [-1, null], lower: [-9, null] },
  ])
})

test('bandsOf returns none for stacks, for lines on the same side, and without extremes', () => {
  const one = extremeLine('a', { extremes })
  assert.deepEqual(bandsOf({ isStacked: true, lines: [one] }), [])
  assert.deepEqual(bandsOf({ isStacked: false, lines: [one, extremeLine('b', { extremes })] }), [])
  assert.deepEqual(bandsOf({ isStacked: false, lines: [extremeLine('c')] }), [])
  const [first, second] = [extremeLine('a', { extremes, below: true }), extremeLine('b', { extremes, below: true })]
  assert.deepEqual(bandsOf({ isStacked: false, lines: [first, second] }), [])
  const [up, down] = [extremeLine('a', { extremes }), extremeLine('b', { below: true })]
  assert.deepEqual(
    bandsOf({ isStacked: false, lines: [up, down] }).map((band) => band.line),
    [up],
  )
})
