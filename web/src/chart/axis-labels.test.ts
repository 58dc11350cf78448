import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fittingLabels } from './axis-labels.ts'

const label = (text: string, x: number, width = 30) => ({ text, x, width })

test('fittingLabels keeps labels that stand apart and end with the axis', () => {
  assert.deepEqual(fittingLabels([label('09:00', 0), label('10:00', 36), label('11:00', 85)], 100), ['09:00', '10:00', '11:00'])
  assert.deepEqual(fittingLabels([], 100), [])
})

test('fittingLabels leaves out a label that would be cut', () => {
  assert.deepEqual(fittingLabels([label('09:00', 50), label('10:00', 86)], 100), ['09:00', ''])
})

test('fittingLabels leaves out a label that touches the one before, and measures the next against the last that stays', () => {
  assert.deepEqual(fittingLabels([label('a', 0), label('b', 35), label('c', 36)], 100), ['a', '', 'c'])
})
