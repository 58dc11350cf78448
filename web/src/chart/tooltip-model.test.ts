import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lastIndexOf, spreadText, tooltipRows, totalAt } from './tooltip-model.ts'

const line = (key: string, values: readonly (number | null)[]) => ({ key, label: key, colour: '--series-1', values })
const lines = [line('a', [1, null]), line('b', [5, null]), line('c', [null, null])]

test('tooltipRows is sorted from high to low and leaves out what has no value', () => {
  assert.deepEqual(
    tooltipRows(lines, 0).map((row) => row.line.key),
    ['b', 'a'],
  )
})

test('totalAt sums a stack and nothing else', () => {
  assert.equal(totalAt({ isStacked: true, lines }, 0), 6)
  assert.equal(totalAt({ isStacked: false, lines }, 0), undefined)
  assert.equal(totalAt({ isStacked: true, lines }, 1), undefined)
})

test('lastIndexOf skips times without values', () => {
  assert.equal(lastIndexOf(lines, 2), 0)
  assert.equal(lastIndexOf([], 2), undefined)
})

test('spreadText is the lowest and highest of a point, in the unit of the axis', () => {
  const spread = { ...line('a', [12.04, 3, 5, null]), extremes: { minimum: [3, 3, null, null], maximum: [40, 3, 7, null] } }
  const axis = { scale: { unit: '%', divisor: 1 } }
  assert.equal(spreadText(spread, 0, axis), '3–40 %')
  assert.equal(spreadText(spread, 1, axis), undefined)
  assert.equal(spreadText(spread, 2, axis), undefined)
  assert.equal(spreadText(spread, 3, axis), undefined)
  assert.equal(spreadText(line('b', [1]), 0, axis), undefined)
})
