import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { phaseOf, POLL_EVERY_MS, untilNextPoll } from './poll.ts'

const ids = fc.stringMatching(/^[a-z0-9]{15}$/)

test('untilNextPoll lands on the phase of the system', () => {
  fc.assert(
    fc.property(ids, fc.integer({ min: 0, max: 4e12 }), (id, nowMs) => {
      assert.equal((nowMs + untilNextPoll(id, nowMs) - phaseOf(id)) % POLL_EVERY_MS, 0)
    }),
  )
})

test('untilNextPoll is never so soon that an agent repeats itself, nor so late that a gap is drawn', () => {
  fc.assert(
    fc.property(ids, fc.integer({ min: 0, max: 4e12 }), (id, nowMs) => {
      const wait = untilNextPoll(id, nowMs)
      assert.ok(wait >= 28_000 && wait < 88_000, `waits ${wait} ms`)
    }),
  )
})

test('phaseOf deals a thousand systems evenly over the minute', () => {
  const counts = new Map<number, number>()
  for (let index = 0; index < 1000; index++) {
    const second = Math.floor(phaseOf(index.toString(36).padStart(15, 'x')) / 1000)
    counts.set(second, (counts.get(second) ?? 0) + 1)
  }
  assert.ok(counts.size >= 58 && Math.max(...counts.values()) <= 50)
})
