import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { anyCharacter } from '../../../../protocol/test/any-character.ts'
import { secretBox } from './secret-box.ts'
import { signedValues } from './signed-token.ts'

const key = Buffer.alloc(32, 7)
const links = signedValues(secretBox(key), 'links of a test')
const NOW_MS = Date.UTC(2026, 0, 10)
const HOUR_MS = 3_600_000

/** Signs values that a token can contain. */
const signed = (of: readonly string[], expiresMs: number): string => links.sign(of, expiresMs) ?? assert.fail('not signed')

const value = fc.stringMatching(/^[\w-]{1,64}$/)
const values = fc.array(value, { minLength: 1, maxLength: 4 })

test('signedValues verifies its own tokens, also by another instance with the same key', () => {
  fc.assert(
    fc.property(values, (given) => {
      const token = signed(given, NOW_MS + HOUR_MS)
      assert.deepEqual(links.verify(token, NOW_MS), given)
      assert.deepEqual(signedValues(secretBox(Buffer.from(key)), 'links of a test').verify(token, NOW_MS), given)
      assert.equal(encodeURIComponent(token), token)
    }),
  )
})

test('signedValues verifies no token with a changed byte', () => {
  const token = signed(['incident0000001', 'owner0000000001'], NOW_MS + HOUR_MS)
  const bytes = Buffer.from(token)
  for (let at = 0; at < bytes.length; at += 1)
    for (let byte = 0; byte < 256; byte += 1) {
      if (byte === bytes[at]) continue
      const changed = Buffer.from(bytes)
      changed[at] = byte
      for (const encoding of ['utf8', 'latin1'] as const) assert.equal(links.verify(changed.toString(encoding), NOW_MS), undefined)
    }
})

test('signedValues verifies no token with removed, added or replaced characters', () => {
  const token = signed(['incident0000001', 'owner0000000001'], NOW_MS + HOUR_MS)
  for (let at = 0; at < token.length; at += 1) assert.equal(links.verify(token.slice(0, at), NOW_MS), undefined)
  fc.assert(
    fc.property(fc.nat(token.length), fc.nat(3), fc.string({ unit: anyCharacter, maxLength: 5 }), (at, removed, added) => {
      const changed = token.slice(0, at) + added + token.slice(at + removed)
      fc.pre(changed !== token)
      assert.equal(links.verify(changed, NOW_MS), undefined)
    }),
  )
})

test('signedValues verifies no token of another purpose or another key, and none after its expiry', () => {
  const token = signed(['a', 'b'], NOW_MS)
  assert.equal(signedValues(secretBox(key), 'links of another test').verify(token, NOW_MS - 1), undefined)
  assert.equal(signedValues(secretBox(Buffer.alloc(32, 8)), 'links of a test').verify(token, NOW_MS - 1), undefined)
  assert.deepEqual(links.verify(token, NOW_MS - 1), ['a', 'b'])
  assert.equal(links.verify(token, NOW_MS), undefined)
})

test('signedValues verifies no text of any form, and signs no values that a token cannot contain', () => {
  fc.assert(fc.property(fc.string({ unit: anyCharacter, maxLength: 700 }), (text) => assert.equal(links.verify(text, NOW_MS), undefined)))
  for (const text of ['', '.', '..', `${'a'.repeat(10_000_000)}.1.x`, '__proto__.constructor.1.x'])
    assert.equal(links.verify(text, NOW_MS), undefined)
  for (const wrong of [[], [''], ['a.b'], ['a b'], ['a'.repeat(65)], ['ä'], ['a', 'b', 'c', 'd', 'e']])
    assert.equal(links.sign(wrong, NOW_MS), undefined)
})
