import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { collectedWindow, isAddedWithin, LEAST_COLLECTED_MS } from './collected-window.ts'

const MINUTE_MS = 60_000
const range = { fromMs: 0, toMs: 60 * MINUTE_MS }
const frame = (...minutes: readonly number[]) => ({ times: minutes.map((minute) => minute * MINUTE_MS) })

for (const [what, frames, fromMinute, collecting] of [
  ['nothing is read yet', [undefined, undefined], 0, undefined],
  ['nothing has come', [frame(), undefined], 0, { sinceMs: undefined }],
  ['the first sample came in the middle', [frame(40, 41, 42), frame()], 40, { sinceMs: 40 * MINUTE_MS }],
  ['containers came first', [frame(40, 41), frame(39, 40)], 39, { sinceMs: 39 * MINUTE_MS }],
  ['one sample came a moment ago', [frame(59)], 55, { sinceMs: 59 * MINUTE_MS }],
  ['the samples fill the range', [frame(1, 2, 3)], 0, undefined],
  ['the first roll-up ended after the system was added', [frame(40, 50)], 40, { sinceMs: 33 * MINUTE_MS }],
] as const) {
  test(`collectedWindow: ${what}`, () => {
    const expected = { window: { fromMs: fromMinute * MINUTE_MS, toMs: range.toMs } }
    assert.deepEqual(collectedWindow(range, 33 * MINUTE_MS, frames), collecting === undefined ? expected : { ...expected, collecting })
  })
}

test('isAddedWithin is false for an older system and for one whose age is not known', () => {
  assert.equal(isAddedWithin(range, 1), true)
  assert.equal(isAddedWithin(range, 0), false)
  assert.equal(isAddedWithin(range, undefined), false)
})

test('collectedWindow lies in the range, ends with it, holds every sample of it and is long enough to draw', () => {
  const minutes = fc.uniqueArray(fc.integer({ min: 0, max: 60 }), { maxLength: 60 }).map((list) => frame(...list.toSorted((a, b) => a - b)))
  fc.assert(
    fc.property(minutes, minutes, fc.integer({ min: 0, max: 60 * MINUTE_MS }), (host, containers, createdMs) => {
      const { window, collecting } = collectedWindow(range, createdMs, [host, containers])
      assert.equal(window.toMs, range.toMs)
      assert.ok(window.fromMs >= range.fromMs && window.toMs - window.fromMs >= LEAST_COLLECTED_MS)
      assert.ok([...host.times, ...containers.times].every((at) => at >= window.fromMs))
      assert.equal(window.fromMs === range.fromMs, collecting?.sinceMs === undefined)
    }),
  )
})
