import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { anyCharacter } from '../../../../protocol/test/any-character.ts'
import { secretBox } from './secret-box.ts'

const box = secretBox(randomBytes(32))

test('secretBox opens a sealed secret only for the same place and with the same key', () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter }), (secret) => {
      const sealed = box.seal('users.tokenKey', secret)
      assert.equal(box.open('users.tokenKey', sealed), secret)
      assert.throws(() => box.open('fingerprints.token', sealed), SyntaxError)
      assert.throws(() => secretBox(randomBytes(32)).open('users.tokenKey', sealed), SyntaxError)
    }),
  )
})

test('secretBox.digest is equal only for equal secrets of one place', () => {
  assert.equal(box.digest('a', 'x'), box.digest('a', 'x'))
  assert.notEqual(box.digest('a', 'x'), box.digest('b', 'x'))
  assert.notEqual(box.digest('a', 'x'), box.digest('a', 'y'))
})

test('secretBox refuses keys with a length other than 32 bytes', () => {
  assert.throws(() => secretBox(randomBytes(16)), RangeError)
})
