import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseKeyValues, withoutQuotes } from './key-values.ts'

test('parseKeyValues keeps the first of equal names and skips lines without the separator', () => {
  const values = parseKeyValues('model name\t: One: two\nflags\n\nmodel name\t: Three\nempty:\n', ':')
  assert.deepEqual(
    [...values],
    [
      ['model name', 'One: two'],
      ['empty', ''],
    ],
  )
})

for (const [text, expected] of [
  ['"Debian GNU/Linux 12"', 'Debian GNU/Linux 12'],
  ["'Alpine'", 'Alpine'],
  ['Arch', 'Arch'],
  ['"', '"'],
  ['"half', '"half'],
  ['""', ''],
  ['"mixed\'', '"mixed\''],
] as const) {
  test(`withoutQuotes: ${text} is ${expected}`, () => assert.equal(withoutQuotes(text), expected))
}
