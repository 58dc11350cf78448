import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nearestIn } from './number-range.ts'

test('nearestIn keeps a number in range and moves others to the nearest bound', () => {
  const range = { min: 1, max: 100, step: 1 }
  assert.deepEqual(
    [-5, 0, 1, 51.4, 99.6, 100, 512].map((number) => nearestIn(range, number)),
    [1, 1, 1, 51, 100, 100, 100],
  )
  assert.equal(nearestIn({ step: 0.1 }, -0.25), -0.25)
  assert.equal(nearestIn({ min: 0 }, 1e9), 1e9)
})
