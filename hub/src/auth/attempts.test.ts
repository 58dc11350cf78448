import assert from 'node:assert/strict'
import { test } from 'node:test'
import { signInAttempts } from './attempts.ts'

test('signInAttempts refuses the twenty-first attempt of a minute, and says how long to wait', () => {
  let nowMs = 0
  const attempts = signInAttempts({ now: () => nowMs })
  for (let made = 0; made < 20; made += 1) assert.equal(attempts.refuse('a'), undefined)
  nowMs = 45_000
  assert.equal(attempts.refuse('a'), 15)
  assert.equal(attempts.refuse('b'), undefined)
  nowMs = 60_000
  assert.equal(attempts.refuse('a'), undefined)
})

test('signInAttempts forgets what counted against somebody who was right', () => {
  const attempts = signInAttempts({ now: () => 0 })
  for (let made = 0; made < 20; made += 1) attempts.refuse('a')
  attempts.forget('a')
  assert.equal(attempts.refuse('a'), undefined)
})

test('signInAttempts is not fooled by a clock that steps back', () => {
  let nowMs = 1_000_000
  const attempts = signInAttempts({ now: () => nowMs })
  for (let made = 0; made < 20; made += 1) attempts.refuse('a')
  nowMs = 0
  assert.equal(attempts.refuse('a'), undefined)
})
