import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { anyCharacter } from '../../../protocol/test/any-character.ts'
import { inheritedName } from '../../../protocol/test/hostile-names.ts'
import { plainName } from './plain-name.ts'

for (const [text, expected] of [
  ['DELL ABC12\n', 'DELL ABC12'],
  ['  Pump   Fan  ', 'Pump Fan'],
  ['\u001B[31mred\u001B[0m', 'red'],
  ['a\nb\u0000c', 'a b c'],
  ['\uFFFD\uFFFD5B10\uFFFD', '5B10'],
  ['\uFFFD\u0001', ''],
  ['abc\u202Egnp.exe', 'abc gnp.exe'],
] as const) {
  test(`plainName: ${JSON.stringify(text)} is ${JSON.stringify(expected)}`, () => assert.equal(plainName(text), expected))
}

test('bug class 25: plainName never lets a control character or a replaced byte through', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: anyCharacter }), inheritedName), (text) => {
      const name = plainName(text)
      assert.ok(Array.from(name).every((letter) => letter >= ' ' && letter !== '\uFFFD' && letter !== '\u007F') && name.length <= 128)
    }),
  )
})
