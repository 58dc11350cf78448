import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { groupMs, phaseOf, POLL_EVERY_MS, untilNextPoll } from './poll.ts'

const ids = fc.stringMatching(/^[a-z0-9]{15}$/)
const stretches = fc.constantFrom(100, 200, 500, 1000)
const moments = fc.integer({ min: 0, max: 4e12 })

test('untilNextPoll lands on the phase of the system', () => {
  fc.assert(
    fc.property(ids, moments, stretches, (id, nowMs, stretchMs) => {
      assert.equal((nowMs + untilNextPoll(id, nowMs, stretchMs) - phaseOf(id, stretchMs)) % POLL_EVERY_MS, 0)
    }),
  )
})

test('untilNextPoll is never so soon that an agent repeats itself, nor so late that a gap is drawn', () => {
  fc.assert(
    fc.property(ids, moments, stretches, (id, nowMs, stretchMs) => {
      const wait = untilNextPoll(id, nowMs, stretchMs)
      assert.ok(wait >= 28_000 && wait < 88_000, `waits ${wait} ms`)
    }),
  )
})

test('who begins or ends to watch moves no system by more than its stretch', () => {
  fc.assert(
    fc.property(ids, stretches, (id, stretchMs) => {
      const earlierMs = phaseOf(id, 100) - phaseOf(id, stretchMs)
      assert.ok(earlierMs >= 0 && earlierMs < stretchMs && phaseOf(id, stretchMs) % stretchMs === 0, `${earlierMs} ms earlier`)
    }),
  )
})

test('groupMs asks those of a second together, but never many, and one by one while somebody watches', () => {
  const sizes = [1, 1000, 2000, 5000, 10_000, 50_000]
  assert.deepEqual(
    sizes.map((systems) => groupMs(systems, false)),
    [1000, 1000, 500, 200, 100, 100],
  )
  assert.deepEqual(new Set(sizes.map((systems) => groupMs(systems, true))), new Set([100]))
})

test('phaseOf deals a thousand systems evenly over the minute', () => {
  const counts = new Map<number, number>()
  for (let index = 0; index < 1000; index++) {
    const second = Math.floor(phaseOf(index.toString(36).padStart(15, 'x'), 1000) / 1000)
    counts.set(second, (counts.get(second) ?? 0) + 1)
  }
  assert.ok(counts.size >= 58 && Math.max(...counts.values()) <= 50)
})
