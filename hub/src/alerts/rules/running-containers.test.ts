import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runningContainers } from './running-containers.ts'

const DAY_MS = 86_400_000
const MINUTE_MS = 60_000
const START_MS = Date.UTC(2026, 0, 10, 12)

const memory = () => runningContainers({ read: async () => [] })

for (const stepMs of [DAY_MS / 24, DAY_MS]) {
  const name = `the clock was set back by ${stepMs / 3_600_000} h`

  test(`runningContainers reports a container as missing that stopped before ${name}`, () => {
    const running = memory()
    running.note('s', [{ name: 'web' }], START_MS - 2 * DAY_MS)
    running.note('s', [{ name: 'web' }], START_MS)
    running.note('s', [], START_MS + MINUTE_MS)
    const nowMs = START_MS - stepMs
    running.note('s', [], nowMs)
    running.note('s', [], nowMs + 2 * MINUTE_MS)
    assert.equal(running.isJustGone('s', 'web', nowMs + 2 * MINUTE_MS), false)
  })

  test(`runningContainers ends a restart loop ten minutes after ${name}`, () => {
    const running = memory()
    for (const restarts of [0, 1, 2, 3]) running.note('s', [{ name: 'web', restarts }], START_MS + restarts * MINUTE_MS)
    assert.equal(running.isLooping('s', 'web'), true)
    const nowMs = START_MS - stepMs
    for (let minute = 0; minute < 12; minute++) running.note('s', [{ name: 'web', restarts: 3 }], nowMs + minute * MINUTE_MS)
    assert.equal(running.isLooping('s', 'web'), false)
  })

  test(`runningContainers expects a container only after it ran for a day, also when ${name}`, () => {
    const running = memory()
    running.note('s', [{ name: 'web' }], START_MS)
    const nowMs = START_MS - stepMs
    running.note('s', [{ name: 'web' }], nowMs)
    assert.deepEqual(running.expected('s'), [])
    running.note('s', [{ name: 'web' }], nowMs + DAY_MS)
    assert.deepEqual(running.expected('s'), ['web'])
  })
}
