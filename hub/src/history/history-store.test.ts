import assert from 'node:assert/strict'
import { test } from 'node:test'
import { databases } from '../../test/databases.ts'
import type { Database } from '../db/database.ts'
import { historyStore } from './history-store.ts'
import type { History } from './history.ts'
import type { Tier } from './tier.ts'

const MINUTE_MS = 60_000
const BASE_MS = Date.UTC(2026, 0, 10, 12)
const EVER = { fromMs: 0, toMs: Number.MAX_SAFE_INTEGER }

type Scene = { readonly database: Database; readonly history: History; readonly advanceTo: (nowMs: number) => void }

function scene(database: Database): Scene {
  let nowMs = BASE_MS
  const history = historyStore(database, { now: () => nowMs })
  return { database, history, advanceTo: (next) => void (nowMs = next) }
}

const append = ({ database, history }: Scene, system: string, atMs: number, busy: number) =>
  database.write((unit) => history.append(unit, [{ system, atMs, kinds: { system: { 'cpu.busyPercent': busy } } }]))

const read = async ({ history }: Scene, tier: Tier) =>
  (await history.read({ kind: 'system', tier, window: EVER })).map(({ system, atMs, bucket }) => [
    system,
    atMs - BASE_MS,
    bucket.average['cpu.busyPercent'],
  ])

for (const kind of databases) {
  test(`${kind.name}: append keeps a sample's own time and replaces one of the same time`, async () => {
    await using one = await kind.open()
    const it = scene(one.database)
    await append(it, 'a', BASE_MS + 123, 10)
    await append(it, 'a', BASE_MS + 60_123, 20)
    await append(it, 'a', BASE_MS + 60_123, 30)
    await append(it, 'b', BASE_MS + 123, 40)
    assert.deepEqual(await read(it, '1m'), [
      ['a', 123, 10],
      ['b', 123, 40],
      ['a', 60_123, 30],
    ])
  })

  test(`${kind.name}: maintain fills the buckets that have closed, from whatever exists, and no others`, async () => {
    await using one = await kind.open()
    const it = scene(one.database)
    await append(it, 'a', BASE_MS, 10)
    await append(it, 'a', BASE_MS + 9 * MINUTE_MS, 30)
    await append(it, 'a', BASE_MS + 10 * MINUTE_MS, 90)
    it.advanceTo(BASE_MS + 11 * MINUTE_MS)
    await it.history.maintain()
    await it.history.maintain()
    assert.deepEqual(await read(it, '10m'), [['a', 0, 20]])
    assert.deepEqual(await read(it, '2h'), [])
    it.advanceTo(BASE_MS + 121 * MINUTE_MS)
    await it.history.maintain()
    assert.deepEqual(await read(it, '10m'), [
      ['a', 0, 20],
      ['a', 10 * MINUTE_MS, 90],
    ])
    assert.deepEqual(
      (await read(it, '2h')).map(([system, at, busy]) => [system, at, Math.round(Number(busy))]),
      [['a', 0, 43]],
    )
  })

  test(`${kind.name}: a late sample recomputes the closed buckets it falls into`, async () => {
    await using one = await kind.open()
    const it = scene(one.database)
    await append(it, 'a', BASE_MS, 10)
    it.advanceTo(BASE_MS + 180 * MINUTE_MS)
    await it.history.maintain()
    await append(it, 'a', BASE_MS + MINUTE_MS, 30)
    assert.deepEqual(await read(it, '10m'), [['a', 0, 20]])
    assert.deepEqual(await read(it, '2h'), [['a', 0, 20]])
  })

  test(`${kind.name}: a store opened later fills what closed while no hub ran`, async () => {
    await using one = await kind.open()
    const before = scene(one.database)
    await append(before, 'a', BASE_MS, 10)
    const after = scene(one.database)
    after.advanceTo(BASE_MS + 24 * 60 * MINUTE_MS)
    await after.history.maintain()
    assert.deepEqual(await read(after, '2h'), [['a', 0, 10]])
  })

  test(`${kind.name}: maintain drops minutes after 90 days and keeps their roll-ups`, async () => {
    await using one = await kind.open()
    const it = scene(one.database)
    await append(it, 'a', BASE_MS, 10)
    it.advanceTo(BASE_MS + 3 * 60 * MINUTE_MS)
    await it.history.maintain()
    it.advanceTo(BASE_MS + 91 * 24 * 60 * MINUTE_MS)
    await it.history.maintain()
    assert.deepEqual(await read(it, '1m'), [])
    assert.deepEqual(await read(it, '10m'), [['a', 0, 10]])
  })

  test(`${kind.name}: read keeps to the half-open window, the kind and the systems asked for; forget removes one system`, async () => {
    await using one = await kind.open()
    const it = scene(one.database)
    for (const system of ['a', 'b']) for (const minute of [0, 1, 2]) await append(it, system, BASE_MS + minute * MINUTE_MS, minute)
    const window = { fromMs: BASE_MS, toMs: BASE_MS + 2 * MINUTE_MS }
    const points = await it.history.read({ systems: ['b'], kind: 'system', tier: '1m', window })
    assert.deepEqual(
      points.map(({ system, atMs }) => [system, atMs - BASE_MS]),
      [
        ['b', 0],
        ['b', MINUTE_MS],
      ],
    )
    assert.deepEqual(await it.history.read({ kind: 'containers', tier: '1m', window }), [])
    await it.history.forget('a')
    assert.deepEqual(
      (await read(it, '1m')).map(([system]) => system),
      ['b', 'b', 'b'],
    )
  })
}
