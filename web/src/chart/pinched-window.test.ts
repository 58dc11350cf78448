import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { pinchedWindow, type Fingers } from './pinched-window.ts'

const HOUR_MS = 3_600_000
const NOW_MS = 1_000 * HOUR_MS
const window = { fromMs: NOW_MS - 10 * HOUR_MS, toMs: NOW_MS - 6 * HOUR_MS }

const cases: readonly [name: string, before: Fingers, after: Fingers, fromHours: number, toHours: number][] = [
  ['moving fingers apart zooms in', [0.25, 0.75], [0, 1], -9, -7],
  ['moving fingers together zooms out', [0, 1], [0.25, 0.75], -12, -4],
  ['moving both fingers right shows earlier times', [0.2, 0.4], [0.45, 0.65], -11, -7],
  ['moving both fingers left shows later times', [0.5, 0.9], [0.25, 0.65], -9, -5],
  ['the window never ends after now', [0.5, 0.9], [-2, -1.6], -4, 0],
  ['crossed fingers count by their distance', [0.75, 0.25], [0, 1], -9, -7],
  ['fingers that do not move change nothing', [0.3, 0.6], [0.3, 0.6], -10, -6],
  ['fingers at one place zoom to a twentieth of the width at most', [0.475, 0.525], [0.5, 0.5], -10, -6],
]

for (const [name, before, after, fromHours, toHours] of cases) {
  test(`pinchedWindow: ${name}`, () =>
    assert.deepEqual(pinchedWindow(window, before, after, NOW_MS), {
      fromMs: NOW_MS + fromHours * HOUR_MS,
      toMs: NOW_MS + toHours * HOUR_MS,
    }))
}

test('pinchedWindow is between a minute and a year long, and starts at the epoch at the earliest', () => {
  const minute = { fromMs: NOW_MS - 60_000, toMs: NOW_MS }
  assert.deepEqual(pinchedWindow(minute, [0.4, 0.6], [0, 1], NOW_MS), minute)
  const nowMs = 20_000 * 24 * HOUR_MS
  const { fromMs, toMs } = pinchedWindow({ fromMs: nowMs - 300 * 24 * HOUR_MS, toMs: nowMs }, [0, 1], [0.4, 0.6], nowMs)
  assert.deepEqual([(toMs - fromMs) / (24 * HOUR_MS), toMs], [366, nowMs])
  assert.equal(pinchedWindow({ fromMs: 0, toMs: HOUR_MS }, [0.2, 0.4], [0.6, 0.8], NOW_MS).fromMs, 0)
})

test('pinchedWindow keeps the time between the fingers in place while no limit applies', () => {
  const share = fc.double({ min: 0.05, max: 0.95, noNaN: true })
  const fingers = fc.tuple(share, share).filter(([a, b]) => Math.abs(a - b) > 0.1)
  fc.assert(
    fc.property(fingers, fingers, (before, after) => {
      const old = { fromMs: NOW_MS - 600 * HOUR_MS, toMs: NOW_MS - 596 * HOUR_MS }
      const next = pinchedWindow(old, before, after, NOW_MS)
      const at = ({ fromMs, toMs }: typeof old, [a, b]: Fingers) => fromMs + ((a + b) / 2) * (toMs - fromMs)
      assert.ok(Math.abs(at(next, after) - at(old, before)) <= 2)
    }),
  )
})
