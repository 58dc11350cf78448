import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import { clockNow, setClockBy } from './clock.ts'

const HOUR_MS = 3_600_000
const at = Date.UTC(2026, 0, 31, 9, 30)
const hubSays = (aheadMs: number) => new Date(at - aheadMs).toUTCString()

test('clockNow is the hub’s time where the browser’s is an hour off, and the browser’s where it is right', () => {
  mock.timers.enable({ apis: ['Date'], now: at })
  for (const [aheadMs, shown] of [
    [HOUR_MS, at - HOUR_MS],
    [-HOUR_MS, at + HOUR_MS],
    [1_000, at],
    [-4_000, at],
  ] as const) {
    setClockBy(hubSays(aheadMs), at)
    assert.equal(clockNow(), shown)
  }
  mock.timers.reset()
})

test('setClockBy leaves the clock alone without a date', () => {
  mock.timers.enable({ apis: ['Date'], now: at })
  setClockBy(hubSays(HOUR_MS), at)
  for (const date of [null, '', 'soon']) setClockBy(date, at)
  assert.equal(clockNow(), at - HOUR_MS)
  setClockBy(hubSays(0), at)
  mock.timers.reset()
})
