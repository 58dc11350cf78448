import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compareNames, compareValues } from './compare.ts'

test('compareNames compares numbers in names and letters of other languages', () => {
  assert.deepEqual(['host-10', 'zebra', 'host-2', 'Äpfel', 'apple'].toSorted(compareNames), [
    'Äpfel',
    'apple',
    'host-2',
    'host-10',
    'zebra',
  ])
})

test('compareValues sorts unknown values last in both directions', () => {
  const values = [3, undefined, 20, 1]
  assert.deepEqual(
    values.map((value) => ({ value })).toSorted((a, b) => compareValues(a.value, b.value, false)),
    [{ value: 1 }, { value: 3 }, { value: 20 }, { value: undefined }],
  )
  assert.deepEqual(
    values.map((value) => ({ value })).toSorted((a, b) => compareValues(a.value, b.value, true)),
    [{ value: 20 }, { value: 3 }, { value: 1 }, { value: undefined }],
  )
})
