import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseLoadAverage } from './load.ts'

test('parseLoadAverage reads the first three numbers', () => {
  assert.deepEqual(parseLoadAverage('0.52 0.58 12.00 3/467 12345\n'), { oneMinute: 0.52, fiveMinutes: 0.58, fifteenMinutes: 12 })
})

for (const text of ['', '0.1 0.2', '0.1  0.3', 'a b c 1/2 3', '-1 0 0 1/2 3', 'Infinity 0 0']) {
  test(`parseLoadAverage refuses "${text}"`, () => assert.throws(() => parseLoadAverage(text), SyntaxError))
}
