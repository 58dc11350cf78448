import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fromGibibytes, fromMebibytes, GIBIBYTE, MEBIBYTE, round2, toGibibytes, toMebibytes } from './units.ts'

for (const [value, rounded] of [
  [0, 0],
  [7, 7],
  [2 ** 40, 2 ** 40],
  [1.234, 1.23],
  [1.235, 1.24],
  [1.995, 2],
  [-1.234, -1.23],
  [-1.235, -1.24],
  [-3, -3],
  [0.004, 0],
] as const) {
  test(`round2 of ${value} is ${rounded}`, () => assert.equal(round2(value), rounded))
}

test('toGibibytes and toMebibytes round to hundredths; fromGibibytes and fromMebibytes reverse them', () => {
  assert.deepEqual([GIBIBYTE, MEBIBYTE], [2 ** 30, 2 ** 20])
  assert.equal(toGibibytes(1.505 * 2 ** 30), 1.51)
  assert.equal(toMebibytes(1.504 * 2 ** 20), 1.5)
  assert.equal(fromGibibytes(1.5), 1.5 * 2 ** 30)
  assert.equal(fromMebibytes(1.5), 1.5 * 2 ** 20)
})
