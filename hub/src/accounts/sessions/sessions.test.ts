import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { isSignedWith, readClaims, signToken, type TokenClaims } from './sessions.ts'

const claims: fc.Arbitrary<TokenClaims> = fc.record(
  {
    id: fc.stringMatching(/^[a-z0-9]{15}$/),
    collectionId: fc.constant('_pb_users_auth_'),
    type: fc.constant('auth' as const),
    exp: fc.nat(),
    refreshable: fc.boolean(),
  },
  { noNullPrototype: true },
)

test('signToken: readClaims returns the signed claims, and only the signing key verifies the token', () => {
  fc.assert(
    fc.property(claims, fc.string(), fc.string(), (given, key, other) => {
      const token = signToken(given, key)
      assert.deepEqual(readClaims(token), given)
      assert.ok(isSignedWith(token, key))
      assert.equal(isSignedWith(token, other), key === other)
    }),
  )
})

test('signToken: the payload decodes as plain base64, too', () => {
  fc.assert(
    fc.property(claims, (given) => {
      const payload = signToken(given, 'key').split('.')[1] ?? ''
      assert.deepEqual(JSON.parse(atob(payload)), given)
    }),
  )
})

for (const token of ['', 'nonsense', 'a.b.c', 'eyJhbGciOiJub25lIn0.e30.', `${'x'.repeat(5000)}.y.z`]) {
  test(`readClaims is undefined for ${JSON.stringify(token.slice(0, 30))}`, () => {
    assert.equal(readClaims(token), undefined)
  })
}

test('readClaims is undefined for another algorithm or another type of token', () => {
  const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')
  const body = { id: 'x', collectionId: 'y', type: 'auth', exp: 1 }
  assert.equal(readClaims(`${part({ alg: 'none', typ: 'JWT' })}.${part(body)}.`), undefined)
  assert.equal(readClaims(`${part({ alg: 'HS256', typ: 'JWT' })}.${part({ ...body, type: 'passwordReset' })}.x`), undefined)
})

test('isSignedWith refuses other base64url spellings of a signature, so that no spelling revives a revoked session', () => {
  const token = signToken({ type: 'file', id: 'abc', collectionId: 'users', exp: 1 }, 'key')
  const signatureOf = (text: string): Buffer => Buffer.from(text.slice(text.lastIndexOf('.') + 1), 'base64url')
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  const same = Array.from(alphabet, (last) => token.slice(0, -1) + last).filter((text) => signatureOf(text).equals(signatureOf(token)))
  assert.equal(same.length, 4)
  assert.deepEqual(
    same.filter((text) => isSignedWith(text, 'key')),
    [token],
  )
})
