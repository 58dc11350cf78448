import assert from 'node:assert/strict'
import { test } from 'node:test'
import { memoryCounts } from '../platform/limits/attempt-counts.ts'
import { signInAttempts } from './attempts.ts'

const alice = { address: '192.0.2.1', account: 'alice@example.com' }

test('signInAttempts refuses the twenty-first attempt of a minute, and says how long to wait', async () => {
  let nowMs = 0
  const attempts = signInAttempts(memoryCounts({ now: () => nowMs }))
  for (let made = 0; made < 20; made += 1) assert.equal((await attempts.begin(alice)).waitSeconds, undefined)
  nowMs = 45_000
  assert.equal((await attempts.begin({ ...alice, account: 'ALICE@example.com' })).waitSeconds, 15)
  assert.equal((await attempts.begin({ ...alice, account: 'bob@example.com' })).waitSeconds, undefined)
  nowMs = 60_000
  assert.equal((await attempts.begin(alice)).waitSeconds, undefined)
})

test('signInAttempts forgets what counted against somebody who was right', async () => {
  const attempts = signInAttempts(memoryCounts({ now: () => 0 }))
  for (let made = 0; made < 19; made += 1) await attempts.begin(alice)
  await (await attempts.begin(alice)).succeeded()
  assert.equal((await attempts.begin(alice)).waitSeconds, undefined)
})

test('signInAttempts is not fooled by a clock that steps back', async () => {
  let nowMs = 1_000_000
  const attempts = signInAttempts(memoryCounts({ now: () => nowMs }))
  for (let made = 0; made < 20; made += 1) await attempts.begin(alice)
  nowMs = 0
  assert.equal((await attempts.begin(alice)).waitSeconds, undefined)
})

test('signInAttempts refuses one address that tries many accounts, and not the next one', async () => {
  const attempts = signInAttempts(memoryCounts({ now: () => 0 }))
  for (let made = 0; made < 100; made += 1) await attempts.begin({ address: '192.0.2.9', account: `user${made}@example.com` })
  assert.equal((await attempts.begin({ ...alice, address: '192.0.2.9' })).waitSeconds, 60)
  assert.equal((await attempts.begin(alice)).waitSeconds, undefined)
})

test('signInAttempts refuses one account that many addresses try, but never where its owner signed in before', async () => {
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
