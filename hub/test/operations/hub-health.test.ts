import assert from 'node:assert/strict'
import { test } from 'node:test'
import { allDuties } from '../../src/platform/cluster/duties.ts'
import { loadHealth, saveHealth, type HubHealth } from '../../src/operations/health/health-table.ts'
import { watchHealth } from '../../src/operations/health/watch-health.ts'
import { databases, silentLog } from '../databases.ts'
import { call } from '../mailing-hub.ts'
import { recordedHub } from '../recorded-hub.ts'

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

const minute = (at: number, more: Partial<HubHealth> = {}): HubHealth => ({
  at,
  cpuPercent: 1,
  residentBytes: 80_000_000,
  heapBytes: 40_000_000,
  loopLateMs: 2,
  databaseBytes: 10_000_000,
  agents: 3,
  waitingSamples: 0,
  waitingMessages: 0,
  waitingLogs: 0,
  ...more,
})

for (const kind of databases) {
  test(`${kind.name}: the hub stores its health values and returns them to admins in steps that fit a chart`, async () => {
    await using hub = await recordedHub(kind)
    const { database } = hub.engine
    const token = await hub.tokenOf('super')
    const startMs = 1_000 * DAY_MS
    const cpu = [10, 20, 60]
    for (const [index, cpuPercent] of cpu.entries())
      await saveHealth(database, minute(startMs + index * MINUTE_MS, { cpuPercent, agents: 3 - index, loopLateMs: index }))
    const asked = async (query: string) => (await call(hub, `GET /api/vedette/hub-health?${query}`, {}, { token })).body
    const fine = await asked(`from=${startMs}&to=${startMs + 3 * MINUTE_MS}`)
    assert.deepEqual([fine['stepMs'], (fine['items'] as readonly HubHealth[]).map(({ cpuPercent }) => cpuPercent)], [MINUTE_MS, cpu]) // the response of the route
    const coarse = await asked(`from=${startMs}&to=${startMs + DAY_MS}`)
    assert.deepEqual(coarse['items'], [minute(startMs, { cpuPercent: 30, agents: 1, loopLateMs: 2 })])
    assert.deepEqual((await asked(`from=${startMs + DAY_MS}&to=${startMs + 2 * DAY_MS}`))['items'], [])
    for (const query of ['from=x', 'from=5&to=5', 'to=-1']) {
      const { status } = await call(hub, `GET /api/vedette/hub-health?${query}`, {}, { token })
      assert.equal(status, 400, query)
    }
    await saveHealth(database, minute(startMs + 32 * DAY_MS))
    const all = await loadHealth(database, { fromMs: 0, toMs: startMs + 40 * DAY_MS, stepMs: MINUTE_MS })
    assert.deepEqual(all, [minute(startMs + 32 * DAY_MS)])
  })

  test(`${kind.name}: the health values are measured, and a database outage only leaves a gap`, async () => {
    await using opened = await kind.open()
    const { database } = opened
    let nowMs = 5 * DAY_MS
    const parts = {
      database,
      duties: allDuties,
      clock: { now: () => nowMs },
      log: silentLog,
      agents: () => 7,
      waiting: () => ({ samples: 2, logs: 1 }),
    }
    {
      await using watch = watchHealth(parts)
      await watch.note()
      nowMs += MINUTE_MS
      await watch.note()
    }
    const found = await loadHealth(database, { fromMs: 0, toMs: 6 * DAY_MS, stepMs: MINUTE_MS })
    assert.equal(found.length, 2)
    for (const { residentBytes, heapBytes, databaseBytes, cpuPercent, agents, waitingSamples, waitingLogs, waitingMessages } of found) {
      assert.ok(residentBytes > heapBytes && heapBytes > 1_000_000)
      assert.ok((databaseBytes ?? 0) > 50_000)
      assert.ok(cpuPercent >= 0)
      assert.deepEqual([agents, waitingSamples, waitingLogs, waitingMessages], [7, 2, 1, 0])
    }
    await database.close()
    await using late = watchHealth(parts)
    await late.note()
  })
}
