import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countHealths, healthOf } from './system-health.ts'
import { readSystem, type SystemStatus } from './system-record.ts'

const now = 1_800_000_000_000
const systemSeen = (status: SystemStatus, agoMs: number) => readSystem({ id: status, name: status, status, info: { at: now - agoMs } })

for (const [status, agoMs, health] of [
  ['up', 150_000, 'up'],
  ['up', 150_001, 'stale'],
  ['down', 10_000_000, 'down'],
  ['paused', 10_000_000, 'paused'],
  ['pending', 10_000_000, 'pending'],
] as const) {
  test(`healthOf a system that is ${status} and was seen ${agoMs} ms ago is ${health}`, () => {
    assert.equal(healthOf(systemSeen(status, agoMs), now), health)
  })
}

test('healthOf a system that is up and has no last-seen time is up', () => {
  assert.equal(healthOf(readSystem({ id: 'a', status: 'up' }), now), 'up')
})

test('countHealths counts each health', () => {
  const systems = [systemSeen('up', 0), systemSeen('up', 200_000), systemSeen('down', 0)]
  assert.deepEqual(countHealths(systems, now), { down: 1, stale: 1, pending: 0, paused: 0, up: 1 })
})
