import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pointsOf } from '@vedette/protocol/metrics/series'
import type { History } from '../../src/history/model/history.ts'
import { historyStore } from '../../src/history/history-store.ts'
import { inProcessEventBus } from '../../src/platform/events/event-bus.ts'
import { databases, silentLog } from '../databases.ts'
import { transactionWaits } from '../waiting-transaction.ts'
import { storedSamples } from '../stored-samples.ts'

const postgres = databases.find(({ name }) => name === 'postgres')
assert.ok(postgres)

const HOUR_MS = 3_600_000
const START_MS = Date.UTC(2024, 0, 1, 10)

test('hubs read samples that other hubs stored, and no hub deletes a sample that it has not read', async () => {
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

  // One hub seals. The other hub continues, takes over the system and runs maintenance.
  nowMs += 2 * HOUR_MS
  await b.maintain()
  await store(b, 'one', 7)
  await a.maintain()
  for (const history of [a, b, hub()]) {
    assert.deepEqual(await valuesOf(history, 'one'), [1, 3, 4, 6, 7])
    assert.deepEqual(await valuesOf(history, 'two'), [2, 5])
  }
})

test(
  'a transaction that one hub keeps open blocks no other hub, and its samples are read after its commit',
  { timeout: 300_000 },
  async () => {
    await using opened = await postgres.open()
    const { database } = opened
    let nowMs = START_MS
    const hub = (aheadMs = () => 0): History => {
      const ahead = { now: () => nowMs + aheadMs() }
      return historyStore({ db: database, clock: ahead, bus: inProcessEventBus(), log: silentLog, isShared: true })
    }
    let aheadMs = 0
    const [a, b, c] = [hub(), hub(), hub(() => aheadMs)]
    const sampleOf = (system: string, value: number) => {
      nowMs += 60_000
      return { system, atMs: nowMs, kinds: { system: pointsOf({ 'cpu.busyPercent': value }) } }
    }
    const store = (history: History, system: string, value: number) =>
      database.write((unit) => history.append(unit, [sampleOf(system, value)]))
    /** Stores a sample in a transaction that commits when the returned function is called. */
    async function hold(history: History, system: string, value: number) {
      const sample = sampleOf(system, value)
      const [isAppended, isReleased] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      const ended = database.write(async (unit) => {
        await history.append(unit, [sample])
        isAppended.resolve()
        await isReleased.promise
      })
      await Promise.race([isAppended.promise, ended])
      return () => {
        isReleased.resolve()
        return ended
      }
    }
    const valuesOf = async (history: History, system: string) =>
      (await storedSamples(history, 'system', system)).map(({ values }) => values['cpu.busyPercent'])
    await store(a, 'one', 1)
    await store(b, 'two', 2)

    // The transactions commit in another order than they stored, with reads in between.
    const release = await hold(a, 'one', 3)
    await store(b, 'two', 4)
    assert.deepEqual(await Promise.all([b, c].map((history) => valuesOf(history, 'two'))), [
      [2, 4],
      [2, 4],
    ])
    await c.maintain()
    await release()
    for (const history of [a, b, c, hub()]) assert.deepEqual(await valuesOf(history, 'one'), [1, 3])

    // A hub that seals the hour waits for a sample that is being stored.
    const releaseLate = await hold(a, 'one', 5)
    aheadMs = 2 * HOUR_MS
    const maintained = c.maintain()
    await store(b, 'three', 6)
    await releaseLate()
    await maintained
    await c.maintain()
    for (const history of [a, b, c, hub()]) {
      assert.deepEqual(await valuesOf(history, 'one'), [1, 3, 5])
      assert.deepEqual(await valuesOf(history, 'two'), [2, 4])
      assert.deepEqual(await valuesOf(history, 'three'), [6])
    }
  },
)

test('hubs that store the same new series at the same time store both samples', { timeout: 300_000 }, async () => {
  await using opened = await postgres.open()
  const { database } = opened
  const clock = { now: () => START_MS + 60_000 }
  const hub = (): History => historyStore({ db: database, clock, bus: inProcessEventBus(), log: silentLog, isShared: true })
  const hubs = Array.from({ length: 6 }, hub)
  const series = ['fan.a.rpm', 'fan.b.rpm', 'fan.c.rpm']
  const valuesFrom = (at: number) => Object.fromEntries(series.map((_, place) => [series[(place + at) % series.length] ?? '', at]))
  await Promise.all(
    hubs.map((history, at) =>
      database.write((unit) =>
        history.append(unit, [{ system: `system ${at}`, atMs: START_MS, kinds: { system: pointsOf(valuesFrom(at)) } }]),
      ),
    ),
  )
  for (const history of [...hubs, hub()])
    for (const at of hubs.keys())
      assert.deepEqual(
        (await storedSamples(history, 'system', `system ${at}`)).map(({ values }) => values),
        [valuesFrom(at)],
      )
})

test('a sample that waits while its hour is sealed is added to the sealed hour', { timeout: 300_000 }, async () => {
  await using opened = await postgres.open()
  const { database } = opened
  const clock = { now: () => START_MS + 2 * HOUR_MS }
  const history = historyStore({ db: database, clock, bus: inProcessEventBus(), log: silentLog, isShared: true })
  const store = (atMs: number, value: number) =>
    database.write((unit) => history.append(unit, [{ system: 'one', atMs, kinds: { system: pointsOf({ 'cpu.busyPercent': value }) } }]))
  await store(START_MS, 1)
  const isSealed = Promise.withResolvers<void>()
  const sealing = database.write(async ({ sql: transaction }) => {
    await transaction
      .updateTable('history_systems')
      .set({ sealed: START_MS + HOUR_MS })
      .execute()
    await transaction.deleteFrom('history_open').execute()
    isSealed.resolve()
    await transactionWaits(database)
  })
  await isSealed.promise
  await Promise.all([sealing, store(START_MS + 60_000, 2)])
  assert.deepEqual(await database.kysely.selectFrom('history_open').select('id').execute(), [])
  assert.deepEqual(
    (await storedSamples(history, 'system', 'one')).map(({ values }) => values['cpu.busyPercent']),
    [2],
  )
})

test('a series that is stored while unused series are deleted keeps its name', { timeout: 300_000 }, async () => {
  await using opened = await postgres.open()
  const { database } = opened
  let nowMs = START_MS
  const history = historyStore({ db: database, clock: { now: () => nowMs }, bus: inProcessEventBus(), log: silentLog })
  const store = (field: string) => {
    nowMs += 60_000
    const atMs = nowMs
    return database.write((unit) => history.append(unit, [{ system: 'one', atMs, kinds: { system: pointsOf({ [field]: 1 }) } }]))
  }
  await store('cpu.busyPercent')
  const { promise: isReleased, resolve: release } = Promise.withResolvers<void>()
  const { promise: isHeld, resolve: hold } = Promise.withResolvers<void>()
  // The maintenance waits for the row of the first series, and meanwhile the second one is stored.
  const held = database.write(async (unit) => {
    await unit.sql.selectFrom('history_series').select('no').forUpdate().execute()
    hold()
    await isReleased
  })
  await isHeld
  const maintained = history.maintain()
  await transactionWaits(database)
  await store('memory.usedBytes')
  release()
  await Promise.all([held, maintained])
  const read = historyStore({ db: database, clock: { now: () => nowMs }, bus: inProcessEventBus(), log: silentLog })
  assert.deepEqual(
    (await storedSamples(read, 'system', 'one')).map(({ values }) => Object.keys(values).length > 0),
    [true, true],
  )
})

test('a series whose name another hub has deleted gets a new name when it returns', { timeout: 300_000 }, async () => {
  await using opened = await postgres.open()
  const { database } = opened
  let nowMs = START_MS
  const retention = async () => ({ days: { '1m': 2, '10m': 2, '2h': 2 }, mostBytes: undefined })
  const hub = (): History =>
    historyStore({ db: database, clock: { now: () => nowMs }, bus: inProcessEventBus(), log: silentLog, isShared: true, retention })
  const [a, b] = [hub(), hub()]
  const store = (history: History, values: Readonly<Record<string, number>>) => {
    nowMs += 60_000
    const atMs = nowMs
    return database.write((unit) => history.append(unit, [{ system: 'one', atMs, kinds: { system: pointsOf(values) } }]))
  }
  const names = async () =>
    (await database.kysely.selectFrom('history_series').select('name').orderBy('name').execute()).map(({ name }) => name)
  const cpu = { 'cpu.busyPercent': 1 }
  const usb = { 'temperature.usb.celsius': 40 }
  // Both hubs have both names cached.
  for (const history of [a, b]) await store(history, { ...cpu, ...usb })
  for (let day = 1; day <= 46; day++) {
    nowMs = START_MS + day * 24 * HOUR_MS
    await store(day % 2 === 0 ? a : b, cpu)
    await a.maintain()
  }
  assert.deepEqual(await names(), ['cpu.busyPercent'])
  // The first transaction with this series is rolled back.
  await assert.rejects(
    database.write(async (unit) => {
      await b.append(unit, [{ system: 'one', atMs: nowMs, kinds: { system: pointsOf(usb) } }])
      throw new Error('undone')
    }),
    /undone/,
  )
  for (const history of [b, a, b]) await store(history, usb)
  assert.deepEqual(await names(), ['cpu.busyPercent', 'temperature.usb.celsius'])
  for (const history of [a, b, hub()])
    assert.deepEqual(
      (await storedSamples(history, 'system', 'one')).slice(-3).map(({ values }) => values),
      [usb, usb, usb],
    )
})

test('a late sample of a system during or after its deletion is stored without a deadlock', { timeout: 300_000 }, async () => {
  await using opened = await postgres.open()
  const { database } = opened
  let nowMs = START_MS
  const [a, b] = [1, 2].map(() => {
    const at = { now: () => nowMs }
    return historyStore({ db: database, clock: at, bus: inProcessEventBus(), log: silentLog, isShared: true })
  })
  assert.ok(a && b)
  const store = (atMs: number) =>
    database.write((unit) => b.append(unit, [{ system: 'one', atMs, kinds: { system: pointsOf({ 'cpu.busyPercent': 1 }) } }]))
  await store(START_MS)
  nowMs += 2 * HOUR_MS
  await a.maintain()
  const deletions = [() => a.forget('one'), () => a.maintain()]
  for (const [minute, deleteSystem] of deletions.entries()) {
    const { promise: isReleased, resolve: release } = Promise.withResolvers<void>()
    const { promise: isHeld, resolve: hold } = Promise.withResolvers<void>()
    const held = database.write(async (unit) => {
      await unit.sql.selectFrom('history_systems').select('no').forShare().execute()
      hold()
      await isReleased
    })
    await isHeld
    const deleted = deleteSystem()
    await transactionWaits(database)
    await store(START_MS + (minute + 1) * 60_000)
    release()
    await Promise.all([held, deleted])
  }
})
