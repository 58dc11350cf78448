import { pointsOf } from '@vedette/protocol/metrics/series'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { databases, silentLog } from '../../../test/databases.ts'
import { recordDate } from '../../records/model/stored-record.ts'
import { historyStore } from '../history-store.ts'
import { statsRecords } from './stats-records.ts'

const MINUTE_MS = 60_000
const BASE_MS = Date.UTC(2026, 0, 10, 8)
const SYSTEM = 'abcdefghijklmno'

for (const kind of databases) {
  test(`${kind.name}: §7 stats lists: all five types come from one history`, async () => {
    await using one = await kind.open()
    let nowMs = BASE_MS
    const clock = { now: () => nowMs }
    const history = historyStore({ db: one.database, clock, bus: one.bus, log: silentLog })
    const records = statsRecords(history, 'system', clock)
    for (let minute = 0; minute < 16 * 60; minute++) {
      nowMs = BASE_MS + minute * MINUTE_MS
      const values = { 'cpu.busyPercent': minute % 60, 'memory.totalBytes': 8 * 1024 ** 3, 'temperature.cpu.celsius': 40 }
      await one.database.write((unit) => history.append(unit, [{ system: SYSTEM, atMs: nowMs, kinds: { system: pointsOf(values) } }]))
    }
    nowMs = BASE_MS + 16 * 60 * MINUTE_MS + MINUTE_MS
    await history.maintain()
    const createdFrom = recordDate(BASE_MS)
    const counts = { '1m': 960, '10m': 96, '20m': 48, '120m': 8, '480m': 2 }
    for (const [type, count] of Object.entries(counts)) {
      const found = await records.load({ systems: [SYSTEM], type, createdFrom })
      assert.equal(found.length, count, type)
      assert.ok(found.every((record) => record['type'] === type && record['system'] === SYSTEM))
    }
    const [first] = await records.load({ systems: [SYSTEM], type: '10m', createdFrom })
    assert.ok(first)
    assert.equal(first['created'], recordDate(BASE_MS + 10 * MINUTE_MS), 'a roll-up is created at its end')
    assert.deepEqual(first['stats'], { cpu: 4.5, cpum: 9, m: 8, t: { cpu: 40 } })
    assert.deepEqual(await records.loadOne(first.id), first)
    const [night] = await records.load({ systems: [SYSTEM], type: '480m', createdFrom })
    assert.deepEqual(night?.['stats'], { cpu: 29.5, cpum: 59, m: 8, t: { cpu: 40 } })
  })

  test(`${kind.name}: a list of minutes without a lower bound returns the last hour`, async () => {
    await using one = await kind.open()
    const clock = { now: () => BASE_MS }
    const history = historyStore({ db: one.database, clock, bus: one.bus, log: silentLog })
    for (const minutesAgo of [30, 59, 61, 600]) {
      const atMs = BASE_MS - minutesAgo * MINUTE_MS
      await one.database.write((unit) =>
        history.append(unit, [{ system: SYSTEM, atMs, kinds: { containers: pointsOf({ 'web.cpuPercent': 1 }) } }]),
      )
    }
    const records = statsRecords(history, 'containers', clock)
    const found = await records.load({ type: '1m' })
    assert.deepEqual(
      found.map((record) => record['stats']),
      [[{ n: 'web', c: 1 }], [{ n: 'web', c: 1 }]],
    )
  })
}

test('statsRecords.loadOne returns undefined for an id without a valid time', async () => {
  const [kind] = databases
  await using one = await kind!.open()
  const clock = { now: () => BASE_MS }
  const records = statsRecords(historyStore({ db: one.database, clock, bus: one.bus, log: silentLog }), 'system', clock)
  for (const id of ['', 'x', 'abcdefghijklmno', `${SYSTEM}z000000000`, `${SYSTEM}a!!!!!!!!!`])
    assert.equal(await records.loadOne(id), undefined)
})
