import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { dialDelayMs, MIN_SPACING_MS, RETRY_MS, SSH_SILENCE_MS } from './reconnect.ts'

const cases = [
  ['the first attempt is at once', { lastAttemptAtMs: undefined, ended: 'failed', sshUsedAtMs: undefined }, 0, 0],
  ['a failed attempt waits for the ticker', { lastAttemptAtMs: 1000, ended: 'failed', sshUsedAtMs: undefined }, 2000, 9000],
  ['an old connection that is lost is tried at once', { lastAttemptAtMs: 0, ended: 'lost', sshUsedAtMs: undefined }, 6000, 0],
  ['a young connection that is lost waits', { lastAttemptAtMs: 0, ended: 'lost', sshUsedAtMs: undefined }, 1000, 4000],
  ['a hub on SSH holds attempts back', { lastAttemptAtMs: 0, ended: 'failed', sshUsedAtMs: 50_000 }, 60_000, 60_000],
  ['a hub silent on SSH does not', { lastAttemptAtMs: 0, ended: 'failed', sshUsedAtMs: 50_000 }, 120_000, 0],
] as const

for (const [name, state, nowMs, expectedMs] of cases) {
  test(`dialDelayMs: ${name}`, () => assert.equal(dialDelayMs(state, nowMs), expectedMs))
}

test('dialDelayMs never lets two attempts come within 5 s and never waits longer than a silent hub', () => {
  const times = fc.nat(1_000_000)
  fc.assert(
    fc.property(
      times,
      times,
      fc.constantFrom('failed', 'lost'),
      fc.option(times, { nil: undefined }),
      (attemptMs, passedMs, ended, sshUsed) => {
        const nowMs = attemptMs + passedMs
        const sshUsedAtMs = sshUsed === undefined ? undefined : Math.min(sshUsed, nowMs)
        const delayMs = dialDelayMs({ lastAttemptAtMs: attemptMs, ended, sshUsedAtMs }, nowMs)
        assert.ok(passedMs + delayMs >= MIN_SPACING_MS && delayMs <= Math.max(RETRY_MS, SSH_SILENCE_MS))
      },
    ),
  )
})
