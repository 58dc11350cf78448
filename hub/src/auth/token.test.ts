import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { isGenuine, readClaims, signToken, type TokenClaims } from './token.ts'

const claims: TokenClaims = { id: 'abcdefghijklmno', collectionId: '_pb_users_auth_', type: 'auth', exp: 2_000_000_000, refreshable: true }
const NOW_MS = 1_900_000_000_000

test('a signed token gives its claims back and is genuine with its own key until it ends', () => {
  const token = signToken(claims, 'key')
  assert.deepEqual(readClaims(token), claims)
  assert.ok(isGenuine(token, 'key', NOW_MS))
  assert.ok(!isGenuine(token, 'other', NOW_MS))
  assert.ok(!isGenuine(token, 'key', claims.exp * 1000))
})

test('a token with any other payload, header or signature is not genuine', () => {
  const [header, payload, proof] = signToken(claims, 'key').split('.')
  const admin = Buffer.from(JSON.stringify({ ...claims, id: 'somebody' })).toString('base64url')
  const unsigned = Buffer.from(JSON.stringify({ alg: 'none', typ: 'JWT' })).toString('base64url')
  for (const forged of [
    `${header}.${admin}.${proof}`,
    `${unsigned}.${payload}.${proof}`,
    `${unsigned}.${payload}.`,
    `${header}.${payload}.`,
    '',
    '..',
  ]) {
    assert.ok(!isGenuine(forged, 'key', NOW_MS), forged)
  }
})

test('payloads read the same in plain base64, as clients decode them', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[a-z0-9_]{15}$/), fc.integer({ min: 0, max: 4_000_000_000 }), (id, exp) => {
      const payload = signToken({ ...claims, id, exp }, 'key').split('.')[1] ?? ''
      assert.doesNotMatch(payload, /[-_]/)
      assert.deepEqual(JSON.parse(atob(payload)), { ...claims, id, exp })
    }),
  )
})

test('readClaims of any text is claims or nothing', () => {
  fc.assert(fc.property(fc.string(), (text) => void readClaims(text)))
  fc.assert(
    fc.property(
      fc.json(),
      (json) => void readClaims(`${signToken(claims, 'k').split('.')[0]}.${Buffer.from(json).toString('base64url')}.x`),
    ),
  )
})
