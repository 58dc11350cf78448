import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventsBetween } from './system-events.ts'

const NOW = 1_000_000
const seen = (status: string, info: object = {}) => ({ status, info })

test('eventsBetween returns one event per status change, with a reason for "down" only', () => {
  for (const [from, to, kind] of [
    ['up', 'down', 'down'],
    ['pending', 'up', 'up'],
    ['up', 'paused', 'paused'],
    ['paused', 'pending', 'resumed'],
  ] as const) {
    const text = kind === 'down' ? 'Nothing listens' : ''
    assert.deepEqual(eventsBetween(seen(from), seen(to, { why: 'Nothing listens' }), NOW), [{ at: NOW, kind, text }])
    assert.deepEqual(eventsBetween(seen(to), seen(to, { why: 'another reason' }), NOW), [])
  }
})

test('eventsBetween returns a restart when a later sample has a lower uptime', () => {
  const before = seen('up', { u: 5_000, at: 900_000 })
  const restarted = [{ at: 950_000 - 20_000, kind: 'restarted', text: '' }]
  assert.deepEqual(eventsBetween(before, seen('up', { u: 20, at: 950_000 }), NOW), restarted)
  assert.deepEqual(eventsBetween({ ...before, status: 'down' }, seen('up', { u: 20, at: 950_000 }), NOW), [
    ...restarted,
    { at: NOW, kind: 'up', text: '' },
  ])
  for (const info of [{ u: 5_060, at: 960_000 }, { u: 20, at: 880_000 }, { u: 0, at: 960_000 }, { at: 960_000 }, {}])
    assert.deepEqual(eventsBetween(before, seen('up', info), NOW), [])
  assert.deepEqual(eventsBetween(seen('up', { u: 0 }), seen('up', { u: 20, at: 950_000 }), NOW), [])
})

test('eventsBetween returns no event for a record without info or with an unknown status', () => {
  assert.deepEqual(eventsBetween({ status: 'up', info: null }, { status: 'up' }, NOW), [])
  assert.deepEqual(eventsBetween({}, { status: 'asleep' }, NOW), [])
})
