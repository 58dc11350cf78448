import assert from 'node:assert/strict'
import { afterEach, beforeEach, mock, test } from 'node:test'
import fc from 'fast-check'
import { clockNow, fromBrowserClock, setClockBy } from './clock.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const START_MS = Date.UTC(2026, 0, 31, 9, 30)

/** The machine's clock, which can be set, and the time since the page loaded, which cannot. */
let wallMs = START_MS
let sincePageMs = 0

const headers = (hubMs: number, more: Readonly<Record<string, string>> = {}) =>
  new Headers({ date: new Date(hubMs).toUTCString(), ...more })

beforeEach(() => {
  wallMs = START_MS
  sincePageMs = 0
  mock.method(Date, 'now', () => wallMs)
  mock.method(performance, 'now', () => sincePageMs)
  setClockBy(headers(START_MS + 10 * DAY_MS), 0)
  setClockBy(headers(START_MS), 0)
})

afterEach(() => mock.restoreAll())

test('clockNow is the hub’s time if the browser’s clock is wrong, and the browser’s time otherwise', () => {
  for (const [aheadMs, shownMs] of [
    [HOUR_MS, START_MS - HOUR_MS],
    [-HOUR_MS, START_MS + HOUR_MS],
    [1_000, START_MS],
    [-4_000, START_MS],
  ] as const) {
    setClockBy(headers(START_MS - aheadMs), 100)
    assert.equal(clockNow(), shownMs)
  }
})

for (const stepMs of [HOUR_MS, -HOUR_MS, DAY_MS, -DAY_MS]) {
  test(`clockNow continues when the machine’s clock is set by ${stepMs / HOUR_MS} h, before and after the next response`, () => {
    wallMs += stepMs
    assert.equal(clockNow(), START_MS)
    sincePageMs += 1_500
    wallMs += 1_500
    assert.equal(clockNow(), START_MS + 1_500)
    setClockBy(headers(START_MS + 1_500), 100)
    assert.equal(clockNow(), START_MS + 1_500)
    assert.equal(fromBrowserClock(wallMs - 500), START_MS + 1_000)
  })
}

test('setClockBy ignores a response that may be cached, took long, or has no date', () => {
  for (const [what, kept, tookMs] of [
    ['max-age', headers(START_MS - 40_000, { 'cache-control': 'private, max-age=60' }), 10],
    ['age', headers(START_MS - 40_000, { age: '40' }), 10],
    ['slow', headers(START_MS - 40_000), 40_000],
    ['no date', new Headers(), 10],
    ['no date that can be read', new Headers({ date: 'soon' }), 10],
  ] as const) {
    setClockBy(kept, tookMs)
    assert.equal(clockNow(), START_MS, what)
  }
  setClockBy(headers(START_MS - 40_000, { 'cache-control': 'private, no-store, max-age=0' }), 10)
  assert.equal(clockNow(), START_MS - 40_000)
})

test('clockNow never goes back while the machine’s clock is wrong, despite dates in whole seconds and slow responses', () => {
  const answers = fc.array(fc.record({ passedMs: fc.integer({ min: 1, max: 3_000 }), tookMs: fc.integer({ min: 0, max: 3_900 }) }))
  fc.assert(
    fc.property(answers, fc.constantFrom(0, HOUR_MS, -DAY_MS), (all, wrongMs) => {
      let hubMs = START_MS + sincePageMs
      wallMs = hubMs + wrongMs
      setClockBy(headers(hubMs), 0)
      let before = clockNow()
      for (const { passedMs, tookMs } of all) {
        sincePageMs += passedMs
        hubMs += passedMs
        wallMs += passedMs
        setClockBy(headers(hubMs - tookMs), tookMs)
        assert.ok(clockNow() >= before)
        assert.ok(Math.abs(clockNow() - hubMs) < 6_000)
        before = clockNow()
      }
    }),
  )
})
