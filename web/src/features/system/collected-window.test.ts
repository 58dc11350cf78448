import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { collectedWindow, isAddedWithin, LEAST_COLLECTED_MS } from './collected-window.ts'

const MINUTE_MS = 60_000
const range = { fromMs: 0, toMs: 60 * MINUTE_MS }
const frame = (...minutes: readonly number[]) => ({ times: minutes.map((minute) => minute * MINUTE_MS) })

for (const [what, frames, fromMinute, toMinute, collecting] of [
  ['the data has not loaded yet', [undefined, undefined], 0, 60, undefined],
  ['there are no samples', [frame(), undefined], 0, 60, { sinceMs: undefined }],
  ['the first sample is in the middle of the range', [frame(40, 41, 42), frame()], 40, 60, { sinceMs: 40 * MINUTE_MS }],
  ['the first sample has only containers', [frame(40, 41), frame(39, 40)], 39, 60, { sinceMs: 39 * MINUTE_MS }],
  ['the only sample is recent', [frame(59)], 59, 64, { sinceMs: 59 * MINUTE_MS }],
  ['the second sample extends the line in the same window', [frame(58, 59)], 58, 63, { sinceMs: 58 * MINUTE_MS }],
  ['the samples span more than the minimum length', [frame(54, 55, 56, 57, 58, 59)], 54, 60, { sinceMs: 54 * MINUTE_MS }],
  ['the samples fill the range', [frame(1, 2, 3)], 0, 60, undefined],
  ['the first roll-up ended after the system was added', [frame(40, 50)], 40, 60, { sinceMs: 33 * MINUTE_MS }],
] as const) {
  test(`collectedWindow: ${what}`, () => {
    const expected = { window: { fromMs: fromMinute * MINUTE_MS, toMs: toMinute * MINUTE_MS } }
    assert.deepEqual(collectedWindow(range, 33 * MINUTE_MS, frames), collecting === undefined ? expected : { ...expected, collecting })
  })
}

test('isAddedWithin is false for an older system and for a system of unknown age', () => {
  assert.equal(isAddedWithin(range, 1), true)
  assert.equal(isAddedWithin(range, 0), false)
  assert.equal(isAddedWithin(range, undefined), false)
})

test('collectedWindow starts in the range, ends at its end or later, includes all samples and has a minimum length', () => {
  const minutes = fc.uniqueArray(fc.integer({ min: 0, max: 60 }), { maxLength: 60 }).map((list) => frame(...list.toSorted((a, b) => a - b)))
  fc.assert(
    fc.property(minutes, minutes, fc.integer({ min: 0, max: 60 * MINUTE_MS }), (host, containers, createdMs) => {
      const { window, collecting } = collectedWindow(range, createdMs, [host, containers])
      // It ends after the range only if the window from the first sample would be too short.
      assert.equal(window.toMs, Math.max(range.toMs, window.fromMs + LEAST_COLLECTED_MS))
      assert.ok(window.fromMs >= range.fromMs)
      assert.ok([...host.times, ...containers.times].every((at) => at >= window.fromMs))
      assert.equal(window.fromMs === range.fromMs, collecting?.sinceMs === undefined)
      // The line starts at the left edge. A single sample is not drawn as a dot at the right edge.
      if (collecting?.sinceMs !== undefined) assert.equal(window.fromMs, Math.min(...host.times, ...containers.times))
    }),
  )
})

test('collectedWindow of a live system keeps its left edge, and its right edge never moves back', () => {
  const firstMs = fc.integer({ min: range.fromMs + 2 * MINUTE_MS, max: range.toMs })
  fc.assert(
    fc.property(firstMs, fc.array(fc.nat(MINUTE_MS), { maxLength: 50 }), (first, steps) => {
      let [nowMs, endMs] = [first, 0]
      const times = [first]
      for (const step of steps) {
        nowMs += step
        if (nowMs - (times.at(-1) ?? 0) >= MINUTE_MS) times.push(nowMs)
        const { window } = collectedWindow({ fromMs: nowMs - 60 * MINUTE_MS, toMs: nowMs }, first, [{ times }])
        // Until the window is as long as the range.
        if (first - (nowMs - 60 * MINUTE_MS) > 2 * MINUTE_MS) assert.equal(window.fromMs, first)
        assert.ok(window.toMs >= endMs && window.toMs >= nowMs)
        endMs = window.toMs
      }
    }),
  )
})
