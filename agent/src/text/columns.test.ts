import assert from 'node:assert/strict'
import { test } from 'node:test'
import { columns, filledLines, parseCounter } from './columns.ts'

test('columns splits text at white space', () => {
  assert.deepEqual(columns('  254\t 0 vda  12 \n'), ['254', '0', 'vda', '12'])
})

test('filledLines omits blank lines', () => {
  assert.deepEqual(filledLines('a\n\n  \n b \n'), ['a', ' b '])
  assert.deepEqual(filledLines(''), [])
})

for (const [text, expected] of [
  ['0', 0],
  ['18446744073709551615', 2 ** 64],
  ['', undefined],
  ['-1', undefined],
  ['1.5', undefined],
  ['0x10', undefined],
  [' 1', undefined],
  [undefined, undefined],
] as const) {
  test(`parseCounter: ${JSON.stringify(text)} is ${expected}`, () => assert.equal(parseCounter(text), expected))
}
