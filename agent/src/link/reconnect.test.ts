import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { dialDelayMs, LONGEST_RETRY_MS, MIN_SPACING_MS, RESTART_MS, SPREAD_MS, SSH_SILENCE_MS, type DialState } from './reconnect.ts'

const state = (more: Partial<DialState>): DialState => ({
  lastAttemptAtMs: 0,
  ended: 'failed',
  endedAtMs: 0,
  lostAtMs: undefined,
  isHubStopping: false,
  failures: 1,
  hubs: 1,
  sshUsedAtMs: undefined,
  dice: 0.5,
  ...more,
})

const cases: readonly (readonly [string, Partial<DialState>, nowMs: number, expectedMs: number])[] = [
  ['the first attempt is immediate', { lastAttemptAtMs: undefined }, 0, 0],
  ['a failed attempt waits for the retry interval', { lastAttemptAtMs: 1000 }, 2000, 9000],
  ['jitter shortens the interval by up to a tenth', { dice: 0 }, 0, 9000],
  ['jitter lengthens the interval by up to a tenth', { dice: 1 }, 0, 11_000],
  ['the interval grows after a minute of failures', { failures: 7 }, 0, 15_000],
  ['the interval has a maximum', { failures: 1000 }, 0, 30_000],
  ['after a long connection the retry is early', { ended: 'lost', endedAtMs: 6000 }, 6000, 1000],
  ['after a long connection the retry is immediate at the earliest', { ended: 'lost', endedAtMs: 6000, dice: 0 }, 6000, 0],
  ['after a short connection the retry waits', { ended: 'lost', dice: 0 }, 1000, 4000],
  ['a failed attempt after a loss is repeated after 5 s', { lostAtMs: 0, lastAttemptAtMs: 1500 }, 1500, 5500],
  ['after a hub that stops the retry waits until it may be back', { ended: 'lost', isHubStopping: true, endedAtMs: 9000 }, 9000, 2950],
  ['after one of several hubs that stops the retry is early', { ended: 'lost', isHubStopping: true, endedAtMs: 9000, hubs: 2 }, 9000, 1000],
  ['a failed attempt long after a loss waits for the retry interval', { lostAtMs: 0, lastAttemptAtMs: RESTART_MS }, RESTART_MS, 10_000],
  ['the second of two hubs follows within 2 s', { hubs: 2, endedAtMs: 100 }, 100, 1000],
  ['after both hubs the wait is as for one hub', { hubs: 2, failures: 2, endedAtMs: 1500 }, 2000, 8000],
  ['rounds over all hubs count, not attempts', { hubs: 2, failures: 14 }, 0, 15_000],
  ['a hub that polls over SSH delays attempts', { sshUsedAtMs: 50_000 }, 60_000, 60_000],
  ['a hub silent on SSH does not delay attempts', { sshUsedAtMs: 50_000 }, 120_000, 0],
]

for (const [name, more, nowMs, expectedMs] of cases) {
  test(`dialDelayMs: ${name}`, () => assert.equal(dialDelayMs(state(more), nowMs), expectedMs))
}

test('dialDelayMs keeps at least 5 s between two attempts and always schedules another one', () => {
  const times = fc.nat(1_000_000)
  const states = fc.record({
    ended: fc.constantFrom('failed' as const, 'lost' as const),
    failures: fc.nat(),
    hubs: fc.constant(1),
    lostAtMs: fc.option(times, { nil: undefined }),
    isHubStopping: fc.boolean(),
    dice: fc.double({ min: 0, max: 1, noNaN: true }),
  })
  fc.assert(
    fc.property(times, times, states, fc.option(times, { nil: undefined }), (attemptMs, passedMs, some, sshUsed) => {
      const nowMs = attemptMs + passedMs
      const sshUsedAtMs = sshUsed === undefined ? undefined : Math.min(sshUsed, nowMs)
      const delayMs = dialDelayMs({ lastAttemptAtMs: attemptMs, endedAtMs: nowMs, sshUsedAtMs, ...some }, nowMs)
      assert.ok(passedMs + delayMs >= MIN_SPACING_MS)
      assert.ok(delayMs <= Math.max(LONGEST_RETRY_MS * 1.1, SSH_SILENCE_MS) + SPREAD_MS)
    }),
  )
})

test('dialDelayMs keeps at least 5 s between two attempts at the same one of several hubs', () => {
  const dices = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 30, maxLength: 30 })
  fc.assert(
    fc.property(fc.integer({ min: 2, max: 9 }), dices, (hubs, rolled) => {
      const attempts: number[] = [0]
      // Each attempt fails at once.
      for (const dice of rolled) {
        const at = attempts.at(-1) ?? 0
        attempts.push(at + dialDelayMs(state({ lastAttemptAtMs: at, endedAtMs: at, failures: attempts.length, hubs, dice }), at))
      }
      for (const [index, at] of attempts.entries()) assert.ok(at - (attempts[index - hubs] ?? -Infinity) >= MIN_SPACING_MS)
    }),
  )
})
