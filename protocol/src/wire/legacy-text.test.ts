import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { anyJson, anyName } from '../../test/hostile-names.ts'
import { firstJson, looksLikeJson } from './legacy-text.ts'

const bytes = (text: string) => new TextEncoder().encode(text)

test('firstJson reads the first value and ignores the text after it', () => {
  const values = fc.oneof(fc.dictionary(anyName, anyJson), fc.array(anyJson))
  fc.assert(
    fc.property(values, fc.constantFrom('', '\n', '{"again":1}\n', '\n\u0000garbage', ' {'), (value, rest) => {
      const text = JSON.stringify(value)
      assert.deepEqual(firstJson(text + rest), JSON.parse(text))
    }),
  )
})

test('firstJson of an incomplete value is undefined', () => {
  fc.assert(
    fc.property(fc.dictionary(anyName, anyJson), fc.nat(), (value, length) => {
      const text = JSON.stringify(value)
      assert.equal(firstJson(text.slice(0, length % text.length)), undefined)
    }),
  )
})

test('firstJson reads null, and returns undefined for empty text and prose', () => {
  assert.equal(firstJson('null\n'), null)
  for (const text of ['', '\n', 'ssh: no such command', '}', '{"a":NaN}']) assert.equal(firstJson(text), undefined, text)
})

test('looksLikeJson distinguishes documents of agents before 0.12 from CBOR', () => {
  for (const text of ['{}', '\n {"stats":1}', 'null\n', '[]']) assert.equal(looksLikeJson(bytes(text)), true, text)
  // A CBOR text of 14 bytes starts with the byte of "n", and any document may contain the letter u.
  for (const cbor of [[0x6e, 0x61, 0x62], [0xa1, 0x00, 0x75], [0xa0], [0xa3, 0x00], [0xbf, 0xff], [0xd9, 0xd9, 0xf7, 0xa0], [0xf6], []]) {
    assert.equal(looksLikeJson(Uint8Array.from(cbor)), false)
  }
})

test('firstJson reads the same nesting depth as decodeCbor, and no more', () => {
  const nested = (depth: number, open: string, close: string) => `${open.repeat(depth)}1${close.repeat(depth)}`
  for (const [open, close] of [
    ['[', ']'],
    ['{"stats":', '}'],
  ] as const) {
    assert.notEqual(firstJson(nested(32, open, close)), undefined)
    for (const depth of [33, 5000, 1_000_000]) assert.equal(firstJson(nested(depth, open, close)), undefined)
  }
  assert.equal(firstJson(`{"stats":{"efs":{"x":${nested(20_000, '[', ']')}}}}`), undefined)
})

for (const [text, value] of [
  ['{"a":"}"}{', { a: '}' }],
  ['{"a":"\\\\"} x', { a: '\\' }],
  ['{"a":"\\"}"}', { a: '"}' }],
  ['["[", "]"]]', ['[', ']']],
  ['true false', true],
  ['12 34', 12],
  ['\n12 34', 12],
  ['12', 12],
  [' \n\t[1]', [1]],
  ['\uFEFF{"a":1}', { a: 1 }],
  ['[{}]{}', [{}]],
  ['{"a":[1,{"b":2}]}tail', { a: [1, { b: 2 }] }],
  ['abc', undefined],
  ['{"a":1', undefined],
  ['{"a":"', undefined],
  ['{"a":"\\', undefined],
  ['] [1]', undefined],
  ['{]', undefined],
] as const) {
  test(`firstJson of ${JSON.stringify(text)} is ${JSON.stringify(value)}`, () => assert.deepEqual(firstJson(text), value))
}
