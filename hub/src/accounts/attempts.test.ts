import assert from 'node:assert/strict'
import { test } from 'node:test'
import { memoryCounts } from '../platform/limits/attempt-counts.ts'
import { signInAttempts } from './attempts.ts'

const alice = { address: '192.0.2.1', account: 'alice@example.com' }

test('signInAttempts refuses the twenty-first attempt within a minute and returns the seconds to wait', async () => {
  let nowMs = 0
  const attempts = signInAttempts(memoryCounts({ now: () => nowMs }))
  for (let made = 0; made < 20; made += 1) assert.equal((await attempts.begin(alice)).waitSeconds, undefined)
  nowMs = 45_000
  assert.equal((await attempts.begin({ ...alice, account: 'ALICE@example.com' })).waitSeconds, 15)
  assert.equal((await attempts.begin({ ...alice, account: 'bob@example.com' })).waitSeconds, undefined)
  nowMs = 60_000
  assert.equal((await attempts.begin(alice)).waitSeconds, undefined)
})

test('signInAttempts clears the failed attempts of a user after a successful sign-in', async () => {
  const attempts = signInAttempts(memoryCounts({ now: () => 0 }))
  for (let made = 0; made < 19; made += 1) await attempts.begin(alice)
  await (await attempts.begin(alice)).succeeded()
  assert.equal((await attempts.begin(alice)).waitSeconds, undefined)
})

test('signInAttempts allows a new attempt after the clock was set back', async () => {
  let nowMs = 1_000_000
  const attempts = signInAttempts(memoryCounts({ now: () => nowMs }))
  for (let made = 0; made < 20; made += 1) await attempts.begin(alice)
  nowMs = 0
  assert.equal((await attempts.begin(alice)).waitSeconds, undefined)
})

test('signInAttempts refuses an address that tries many accounts, and allows other addresses', async () => {
  const attempts = signInAttempts(memoryCounts({ now: () => 0 }))
  for (let made = 0; made < 100; made += 1) await attempts.begin({ address: '192.0.2.9', account: `user${made}@example.com` })
  assert.equal((await attempts.begin({ ...alice, address: '192.0.2.9' })).waitSeconds, 60)
  assert.equal((await attempts.begin(alice)).waitSeconds, undefined)
})

test('signInAttempts refuses attempts on an account from many addresses, except from an address where its user signed in before', async () => {
  const attempts = signInAttempts(memoryCounts({ now: () => 0 }))
  await (await attempts.begin(alice)).succeeded()
  for (let made = 0; made < 300; made += 1) await attempts.begin({ ...alice, address: `198.51.100.${made}` })
  assert.equal((await attempts.begin({ ...alice, address: '203.0.113.1' })).waitSeconds, 60)
  assert.equal((await attempts.begin(alice)).waitSeconds, undefined)
})

test('signInAttempts counts an IPv6 network as one address', async () => {
  const attempts = signInAttempts(memoryCounts({ now: () => 0 }))
  for (let made = 0; made < 20; made += 1) await attempts.begin({ ...alice, address: `2001:db8::${made.toString(16)}` })
  assert.equal((await attempts.begin({ ...alice, address: '2001:db8:0:0:ffff::1' })).waitSeconds, 60)
  assert.equal((await attempts.begin({ ...alice, address: '2001:db8:0:1::1' })).waitSeconds, undefined)
  assert.equal((await attempts.begin({ ...alice, address: '::ffff:192.0.2.1' })).waitSeconds, undefined)
})
