import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { decodeBase64 } from './base64.ts'

// Test vectors of RFC 4648, section 10.
for (const [text, expected] of [
  ['', ''],
  ['Zg==', 'f'],
  ['Zm8=', 'fo'],
  ['Zm9v', 'foo'],
  ['Zm9vYmE=', 'fooba'],
  ['Zm9vYmFy', 'foobar'],
  ['Zm9vYg', 'foob'],
] as const) {
  test(`decodeBase64: "${text}" is "${expected}"`, () => assert.equal(Buffer.from(decodeBase64(text) ?? []).toString(), expected))
}

for (const text of ['Z', 'Zg=', 'Zm9v=', 'Zm 9v', 'Zm9-', 'Zg===', '=']) {
  test(`decodeBase64 refuses "${text}"`, () => assert.equal(decodeBase64(text), undefined))
}

test('decodeBase64 reverses the encoding of any bytes', () => {
  fc.assert(
    fc.property(fc.uint8Array(), (bytes) => {
      assert.deepEqual(decodeBase64(Buffer.from(bytes).toString('base64')), bytes)
    }),
  )
})
