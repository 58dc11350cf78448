import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { users } from '../../records/collections/users.ts'
import { secretBox } from '../../platform/secrets/secret-box.ts'
import { mailedTokens } from './mailed-token.ts'

const secrets = secretBox(randomBytes(32))
const account = { id: 'usralice0000001', email: 'alice@example.com', tokenKey: 'k'.repeat(50), verified: false }

test('mailedTokens: a token is valid for one purpose and one unchanged account until it expires', () => {
  let nowMs = 1_000_000
  const tokens = mailedTokens({ secrets, clock: { now: () => nowMs } })
  const token = tokens.make('passwordReset', { collection: users, account })
  const claims = tokens.read(token) ?? assert.fail()
  assert.equal(claims.exp, 1000 + 1800)
  assert.ok(tokens.isGood(token, claims, account))
  for (const other of [
    { ...account, tokenKey: 'x'.repeat(50) },
    { ...account, id: 'usrbob000000001' },
    { ...account, email: 'other@example.com' },
  ])
    assert.ok(!tokens.isGood(token, claims, other))
  assert.ok(!tokens.isGood(token, { ...claims, type: 'verification' }, account))
  assert.ok(!mailedTokens({ secrets: secretBox(randomBytes(32)), clock: { now: () => nowMs } }).isGood(token, claims, account))
  nowMs += 1_800_000
  assert.ok(!tokens.isGood(token, claims, account))
})

test('mailedTokens: a verification token is invalid once the address is verified', () => {
  const tokens = mailedTokens({ secrets, clock: { now: () => 0 } })
  const token = tokens.make('verification', { collection: users, account })
  const claims = tokens.read(token) ?? assert.fail()
  assert.ok(tokens.isGood(token, claims, account))
  assert.ok(!tokens.isGood(token, claims, { ...account, verified: true }))
})

test('mailedTokens: clients can decode the claims as plain base64, with any characters in the address', () => {
  const tokens = mailedTokens({ secrets, clock: { now: () => 0 } })
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (email) => {
      const token = tokens.make('emailChange', { collection: users, account: { ...account, email }, newEmail: email })
      const [, payload = ''] = token.split('.')
      assert.doesNotMatch(payload, /[-_]/)
      assert.equal((JSON.parse(atob(payload)) as { readonly email: string }).email, email)
      assert.equal(tokens.read(token)?.newEmail, email)
    }),
  )
})
