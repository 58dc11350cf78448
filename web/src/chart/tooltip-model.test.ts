import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lastIndexOf, spreadText, tooltipRows, totalAt } from './tooltip-model.ts'

const english = { locale: 'en' }

const line = (key: string, values: readonly (number | null)[]) => ({ key, label: key, colour: '--series-1', values })
const lines = [line('a', [1, null]), line('b', [5, null]), line('c', [null, null])]

test('tooltipRows sorts from high to low and omits lines without a value', () => {
  assert.deepEqual(
    tooltipRows(lines, 0).map((row) => row.line.key),
    ['b', 'a'],
  )
})

test('totalAt sums only the values of a stack', () => {
  assert.equal(totalAt({ isStacked: true, lines }, 0), 6)
  assert.equal(totalAt({ isStacked: true, lines: lines.slice(0, 2) }, 0), 6)
  assert.equal(totalAt({ isStacked: false, lines }, 0), undefined)
  assert.equal(totalAt({ isStacked: true, lines }, 1), undefined)
})

test('totalAt of a single line is undefined', () => assert.equal(totalAt({ isStacked: true, lines: lines.slice(0, 1) }, 0), undefined))

test('lastIndexOf is the latest time of all lines', () => {
  assert.equal(lastIndexOf([line('a', [1, 2, null]), line('b', [1, 2, 3])], 3), 2)
  assert.equal(lastIndexOf([line('a', [0])], 3), 0)
  assert.equal(lastIndexOf([line('a', [null])], 1), undefined)
})

test('tooltipRows includes a value of 0, and no value beyond the end of a line', () => {
  assert.deepEqual(
    tooltipRows([line('a', [0]), line('b', [-1])], 0).map(({ value }) => value),
    [0, -1],
  )
  assert.deepEqual(tooltipRows([line('a', [0])], 1), [])
})

test('lastIndexOf skips times without values', () => {
  assert.equal(lastIndexOf(lines, 2), 0)
  assert.equal(lastIndexOf([], 2), undefined)
})

test('spreadText shows the lowest and highest value of a point, in the unit of the axis', () => {
  const spread = { ...line('a', [12.04, 3, 5, null]), extremes: { minimum: [3, 3, null, null], maximum: [40, 3, 7, null] } }
  const axis = { scale: { unit: '%', divisor: 1 } }
  assert.equal(spreadText(spread, 0, axis, english), '3–40 %')
  assert.equal(spreadText(spread, 1, axis, english), undefined)
  assert.equal(spreadText(spread, 2, axis, english), undefined)
  assert.equal(spreadText(spread, 3, axis, english), undefined)
  assert.equal(spreadText(line('b', [1]), 0, axis, english), undefined)
  const half = (extremes: { minimum: (number | null)[]; maximum: (number | null)[] }) =>
    spreadText({ ...line('c', [5]), extremes }, 0, axis, english)
  assert.equal(half({ minimum: [1], maximum: [null] }), undefined)
  assert.equal(half({ minimum: [null], maximum: [9] }), undefined)
  assert.equal(half({ minimum: [5], maximum: [9] }), '5–9 %')
  assert.equal(spreadText({ ...line('d', [null]), extremes: { minimum: [1], maximum: [9] } }, 0, axis, english), undefined)
  assert.equal(half({ minimum: [-5], maximum: [5] }), '-5 – 5 %')
})
