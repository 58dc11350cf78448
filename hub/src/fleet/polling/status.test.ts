import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isSystemStatus, nextStatus, type FleetEvent, type SystemStatus } from './status.ts'

const sample: FleetEvent = { kind: 'sample' }
const failed: FleetEvent = { kind: 'unreachable', confirmed: false }
const lost: FleetEvent = { kind: 'unreachable', confirmed: true }
const pause: FleetEvent = { kind: 'pause' }
const resume: FleetEvent = { kind: 'resume' }

const cases: readonly (readonly [SystemStatus, FleetEvent, SystemStatus])[] = [
  ['pending', sample, 'up'],
  ['pending', failed, 'pending'],
  ['pending', lost, 'down'],
  ['pending', pause, 'paused'],
  ['pending', resume, 'pending'],
  ['up', sample, 'up'],
  ['up', failed, 'up'],
  ['up', lost, 'down'],
  ['up', pause, 'paused'],
  ['up', resume, 'up'],
  ['down', sample, 'up'],
  ['down', failed, 'down'],
  ['down', lost, 'down'],
  ['down', pause, 'paused'],
  ['down', resume, 'down'],
  ['paused', sample, 'paused'],
  ['paused', failed, 'paused'],
  ['paused', lost, 'paused'],
  ['paused', pause, 'paused'],
  ['paused', resume, 'pending'],
]

for (const [status, event, expected] of cases) {
  test(`§4 system status: nextStatus ${status} after ${JSON.stringify(event)} is ${expected}`, () => {
    assert.equal(nextStatus(status, event), expected)
  })
}

test('isSystemStatus accepts the four states and nothing else', () => {
  assert.ok(['pending', 'up', 'down', 'paused'].every(isSystemStatus))
  assert.ok(!['', 'UP', undefined, null, 1].some(isSystemStatus))
})
