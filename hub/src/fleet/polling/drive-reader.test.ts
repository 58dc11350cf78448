import assert from 'node:assert/strict'
import { test } from 'node:test'
import { driveSchedule } from './drive-reader.ts'

const HOUR_MS = 3_600_000

test('driveSchedule reads drives once, then every hour', () => {
  const schedule = driveSchedule()
  assert.equal(schedule.isDue(0), true)
  schedule.started(0)
  schedule.succeeded()
  assert.deepEqual([HOUR_MS - 1, HOUR_MS].map(schedule.isDue), [false, true])
})

test('driveSchedule keeps to the interval of the agent, but never asks more than once a minute', () => {
  const schedule = driveSchedule()
  schedule.learnInterval(600_000)
  schedule.started(0)
  assert.deepEqual([599_999, 600_000].map(schedule.isDue), [false, true])
  schedule.learnInterval(1)
  assert.deepEqual([59_999, 60_000].map(schedule.isDue), [false, true])
  schedule.learnInterval(undefined)
  assert.equal(schedule.isDue(60_000), true)
})

test('driveSchedule forgets a failed reading when the agent connects anew, and no good one', () => {
  const schedule = driveSchedule()
  schedule.started(0)
  assert.equal(schedule.isDue(1000), false)
  schedule.reconnected()
  assert.equal(schedule.isDue(1000), true)
  schedule.started(1000)
  schedule.succeeded()
  schedule.reconnected()
  assert.equal(schedule.isDue(2000), false)
})

for (const hours of [1, 24])
  test(`driveSchedule reads drives again at once when the clock was set back by ${hours} h`, () => {
    const schedule = driveSchedule()
    schedule.started(hours * HOUR_MS)
    schedule.succeeded()
    assert.equal(schedule.isDue(0), true)
    schedule.started(0)
    assert.deepEqual([HOUR_MS - 1, HOUR_MS].map(schedule.isDue), [false, true])
  })
