import { pointsOf } from '@vedette/protocol/metrics/series'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Client } from 'pg'
import { historyStore } from '../../src/history/history-store.ts'
import { inProcessEventBus } from '../../src/platform/events/event-bus.ts'
import { databases, silentLog } from '../databases.ts'
import { HOUR_MS } from '../history-scene.ts'

const postgres = databases.find(({ name }) => name === 'postgres')
assert.ok(postgres)

const START_MS = Date.UTC(2026, 0, 10, 12)
const SYSTEMS = 40

test('maintain finds systems with hours to seal or days to join with two queries, and reads a sealed hour once', async (it) => {
  await using opened = await postgres.open()
  const { database } = opened
  let nowMs = START_MS
  const history = historyStore({ db: database, clock: { now: () => nowMs }, bus: inProcessEventBus(), log: silentLog })
  const samples = Array.from({ length: SYSTEMS }, (_, place) => ({
    system: `system ${place}`,
    atMs: START_MS,
    kinds: { system: pointsOf({ 'cpu.busyPercent': 1 }) },
  }))
  await database.write((unit) => history.append(unit, samples))
  // The driver works normally, and its calls are recorded.
  const sent = it.mock.method(Client.prototype, 'query')
  const sentBy = async (work: () => Promise<void>): Promise<readonly string[]> => {
    sent.mock.resetCalls()
    await work()
    return sent.mock.calls.flatMap(({ arguments: [text] }) =>
      typeof text === 'string' && /\bhistory_(open|blocks)\b/.test(text) ? [text] : [],
    )
  }

  const idle = await sentBy(history.maintain)
  assert.equal(idle.length, 2, idle.join('\n'))
  assert.deepEqual(await sentBy(history.maintain), [], 'the same hour again')
  nowMs += 2 * HOUR_MS
  const sealing = await sentBy(history.maintain)
  assert.equal(sealing.length, 1 + 3 * SYSTEMS, sealing.slice(0, 10).join('\n'))
})
