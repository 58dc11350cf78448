import assert from 'node:assert/strict'
import { test } from 'node:test'
import { signInAttempts } from './attempts.ts'

const alice = { address: '192.0.2.1', account: 'alice@example.com' }

test('signInAttempts refuses the twenty-first attempt of a minute, and says how long to wait', () => {
  let nowMs = 0
  const attempts = signInAttempts({ now: () => nowMs })
  for (let made = 0; made < 20; made += 1) assert.equal(attempts.begin(alice).waitSeconds, undefined)
  nowMs = 45_000
  assert.equal(attempts.begin({ ...alice, account: 'ALICE@example.com' }).waitSeconds, 15)
  assert.equal(attempts.begin({ ...alice, account: 'bob@example.com' }).waitSeconds, undefined)
  nowMs = 60_000
  assert.equal(attempts.begin(alice).waitSeconds, undefined)
})

test('signInAttempts forgets what counted against somebody who was right', () => {
  const attempts = signInAttempts({ now: () => 0 })
  for (let made = 0; made < 19; made += 1) attempts.begin(alice)
  attempts.begin(alice).succeeded()
  assert.equal(attempts.begin(alice).waitSeconds, undefined)
})

test('signInAttempts is not fooled by a clock that steps back', () => {
  let nowMs = 1_000_000
  const attempts = signInAttempts({ now: () => nowMs })
  for (let made = 0; made < 20; made += 1) attempts.begin(alice)
  nowMs = 0
  assert.equal(attempts.begin(alice).waitSeconds, undefined)
})

test('signInAttempts refuses one address that tries many accounts, and not the next one', () => {
  const attempts = signInAttempts({ now: () => 0 })
  for (let made = 0; made < 100; made += 1) attempts.begin({ address: '192.0.2.9', account: `user${made}@example.com` })
  assert.equal(attempts.begin({ ...alice, address: '192.0.2.9' }).waitSeconds, 60)
  assert.equal(attempts.begin(alice).waitSeconds, undefined)
})

test('signInAttempts refuses one account that many addresses try, but never where its owner signed in before', () => {
  const attempts = signInAttempts({ now: () => 0 })
  attempts.begin(alice).succeeded()
  for (let made = 0; made < 300; made += 1) attempts.begin({ ...alice, address: `198.51.100.${made}` })
  assert.equal(attempts.begin({ ...alice, address: '203.0.113.1' }).waitSeconds, 60)
  assert.equal(attempts.begin(alice).waitSeconds, undefined)
})

test('signInAttempts counts an IPv6 network as one address', () => {
  const attempts = signInAttempts({ now: () => 0 })
  for (let made = 0; made < 20; made += 1) attempts.begin({ ...alice, address: `2001:db8::${made.toString(16)}` })
  assert.equal(attempts.begin({ ...alice, address: '2001:db8:0:0:ffff::1' }).waitSeconds, 60)
  assert.equal(attempts.begin({ ...alice, address: '2001:db8:0:1::1' }).waitSeconds, undefined)
  assert.equal(attempts.begin({ ...alice, address: '::ffff:192.0.2.1' }).waitSeconds, undefined)
})
