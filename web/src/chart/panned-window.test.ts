import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { pannedWindow } from './panned-window.ts'

test('pannedWindow keeps the length, and ends at now at the latest', () => {
  assert.deepEqual(pannedWindow({ fromMs: 100, toMs: 200 }, -50, 1_000), { fromMs: 50, toMs: 150 })
  assert.deepEqual(pannedWindow({ fromMs: 100, toMs: 200 }, 900, 1_000), { fromMs: 900, toMs: 1_000 })
  assert.deepEqual(pannedWindow({ fromMs: 100, toMs: 200 }, -500, 1_000), { fromMs: 0, toMs: 100 })
  const times = fc.integer({ min: 0, max: 2e12 })
  fc.assert(
    fc.property(times, fc.integer({ min: 1, max: 1e10 }), fc.integer({ min: -1e12, max: 1e12 }), times, (fromMs, lengthMs, byMs, nowMs) => {
      const window = { fromMs, toMs: fromMs + lengthMs }
      const moved = pannedWindow(window, byMs, nowMs)
      assert.equal(moved.toMs - moved.fromMs, lengthMs)
      assert.ok(moved.fromMs >= 0 && moved.toMs <= Math.max(nowMs, window.toMs))
    }),
  )
})

test('pannedWindow does not move a window that ends after now forward, but moves it back', () => {
  const ahead = { fromMs: 900, toMs: 1_100 }
  assert.deepEqual(pannedWindow(ahead, 50, 1_000), ahead)
  assert.deepEqual(pannedWindow(ahead, -50, 1_000), { fromMs: 850, toMs: 1_050 })
})

test('pannedWindow moves by whole milliseconds', () => {
  assert.deepEqual(pannedWindow({ fromMs: 100, toMs: 200 }, -50.4, 1_000), { fromMs: 50, toMs: 150 })
})
