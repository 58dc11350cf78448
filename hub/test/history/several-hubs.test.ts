import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pointsOf } from '@vedette/protocol/metrics/series'
import type { History } from '../../src/history/model/history.ts'
import { historyStore } from '../../src/history/history-store.ts'
import { inProcessEventBus } from '../../src/platform/events/event-bus.ts'
import { databases, silentLog } from '../databases.ts'
import { storedSamples } from '../stored-samples.ts'

const postgres = databases.find(({ name }) => name === 'postgres')
assert.ok(postgres)

const HOUR_MS = 3_600_000
const START_MS = Date.UTC(2024, 0, 1, 10)

test('hubs read what others have stored, and none deletes a sample that it has not seen', async () => {
  await using opened = await postgres.open()
  const { database } = opened
  let nowMs = START_MS
  const clock = { now: () => nowMs }
  const hub = (): History => historyStore({ db: database, clock, bus: inProcessEventBus(), log: silentLog, isShared: true })
  const [a, b] = [hub(), hub()]
  const store = (history: History, system: string, value: number) => {
    nowMs += 60_000
    const atMs = nowMs
    return database.write((unit) => history.append(unit, [{ system, atMs, kinds: { system: pointsOf({ 'cpu.busyPercent': value }) } }]))
  }
  const valuesOf = async (history: History, system: string) =>
    (await storedSamples(history, 'system', system)).map(({ values }) => values['cpu.busyPercent'])

  // Both have read the empty history.
  assert.deepEqual([await valuesOf(a, 'one'), await valuesOf(b, 'one')], [[], []])
  await store(a, 'one', 1)
  await store(b, 'two', 2)
  await store(a, 'one', 3)
  assert.deepEqual([await valuesOf(b, 'one'), await valuesOf(a, 'two')], [[1, 3], [2]])

  // Samples that the maintaining hub has not read, older and newer than its own.
  await store(a, 'one', 4)
  await store(b, 'two', 5)
  await store(a, 'one', 6)
  await b.maintain()
  assert.deepEqual(await valuesOf(hub(), 'one'), [1, 3, 4, 6])

  // One hub seals; the other goes on, takes the system over and maintains.
  nowMs += 2 * HOUR_MS
  await b.maintain()
  await store(b, 'one', 7)
  await a.maintain()
  for (const history of [a, b, hub()]) {
    assert.deepEqual(await valuesOf(history, 'one'), [1, 3, 4, 6, 7])
    assert.deepEqual(await valuesOf(history, 'two'), [2, 5])
  }
})
