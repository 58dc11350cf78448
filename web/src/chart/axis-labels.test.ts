import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fittingLabels } from './axis-labels.ts'

const label = (text: string, x: number, width = 30) => ({ text, x, width })

test('fittingLabels keeps labels that do not touch, up to the end of the axis', () => {
  assert.deepEqual(fittingLabels([label('09:00', 0), label('10:00', 36), label('11:00', 85)], 100), ['09:00', '10:00', '11:00'])
  assert.deepEqual(fittingLabels([], 100), [])
})

test('fittingLabels omits a label that would be cut off', () => {
  assert.deepEqual(fittingLabels([label('09:00', 50), label('10:00', 86)], 100), ['09:00', ''])
})

test('fittingLabels omits a label that touches the previous one, and compares the next with the last kept label', () => {
  assert.deepEqual(fittingLabels([label('a', 0), label('b', 35), label('c', 36)], 100), ['a', '', 'c'])
})
