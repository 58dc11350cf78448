import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DiskHealth } from '@vedette/protocol/metrics/disk-health'
import { watchAlerts } from '../../src/alerts/rules/alert-watch.ts'
import { historyStore } from '../../src/history/history-store.ts'
import { samplePipeline } from '../../src/samples/sample-pipeline.ts'
import { databases, silentLog } from '../databases.ts'
import { machineSample } from '../scripted-agent.ts'
import { storedSamples } from '../stored-samples.ts'
import { engineOn } from '../test-engine.ts'

const START_MS = Date.UTC(2026, 0, 10, 12)
const MINUTE_MS = 60_000

const drive = (celsius: number, used: number): DiskHealth => ({
  id: 'S-1',
  status: 'PASSED',
  celsius,
  attributes: [{ name: 'PercentageUsed', raw: used }],
})

for (const kind of databases) {
  test(
    `${kind.name}: drive values are stored in the history once, with the next sample of their system`,
    { timeout: 300_000 },
    async () => {
      await using opened = await kind.open()
      const { database, bus } = opened
      let nowMs = START_MS
      const clock = { now: () => nowMs }
      const engine = engineOn(database, clock)
      const records = engine.store
      const history = historyStore({ db: database, clock, bus, log: silentLog })
      const alerts = await watchAlerts({ engine, history, bus, log: silentLog })
      await using samples = samplePipeline({ db: database, records, history, clock, bus, alerts, log: silentLog })
      const add = async (name: string) =>
        (await database.write((unit) => records.insert(unit, 'systems', { name, status: 'up', users: [], info: {} }))).id
      const [system, other] = [await add('one'), await add('other')]
      const poll = async (id: string) => (await samples.store({ system: id, sample: machineSample, receivedAtMs: nowMs })).kind
      const read = (...devices: readonly DiskHealth[]) => samples.storeDrives(system, { devices, complete: true })

      assert.equal(await poll(system), 'stored')
      await read(drive(31, 3))
      // A second reading replaces a reading that no sample has taken over.
      await read(drive(32, 4))
      nowMs += MINUTE_MS
      for (const id of [system, other]) assert.equal(await poll(id), 'stored')
      nowMs += MINUTE_MS
      assert.equal(await poll(system), 'stored')
      await read({ ...drive(32, 4), ageMs: 3_600_000 })
      nowMs += MINUTE_MS
      assert.equal(await poll(system), 'stored')
      await read(drive(33, 4))
      // No sample arrived for so long that its time would be wrong for the drive values.
      nowMs += 3 * MINUTE_MS
      assert.equal(await poll(system), 'stored')

      const stored = async (id: string) =>
        (await storedSamples(history, 'system', id)).map(({ values }) => [
          values['drive.S-1.celsius'],
          values['drive.S-1.wearPercent'],
          values['cpu.busyPercent'] !== undefined,
        ])
      assert.deepEqual(await stored(system), [
        [undefined, undefined, true],
        [32, 4, true],
        [undefined, undefined, true],
        [undefined, undefined, true],
        [undefined, undefined, true],
      ])
      assert.deepEqual(await stored(other), [[undefined, undefined, true]])
      assert.equal((await records.loadWhere('smart_devices', { system }))[0]?.['temp'], 33)
    },
  )

  test(`${kind.name}: drive values of a sample that was not stored are stored with the next sample`, { timeout: 300_000 }, async () => {
    await using opened = await kind.open()
    const { database, bus } = opened
    const clock = { now: () => START_MS }
    const engine = engineOn(database, clock)
    const records = engine.store
    const history = historyStore({ db: database, clock, bus, log: silentLog })
    const alerts = await watchAlerts({ engine, history, bus, log: silentLog })
    await using samples = samplePipeline({ db: database, records, history, clock, bus, alerts, log: silentLog })
    const { id } = await database.write((unit) => records.insert(unit, 'systems', { name: 'one', status: 'paused', users: [], info: {} }))
    const poll = async () => (await samples.store({ system: id, sample: machineSample, receivedAtMs: START_MS })).kind
    await samples.storeDrives(id, { devices: [drive(31, 3)], complete: true })
    assert.equal(await poll(), 'not watched')
    await database.write((unit) => records.update(unit, 'systems', id, { status: 'pending' }))
    assert.equal(await poll(), 'stored')
    assert.equal((await storedSamples(history, 'system', id))[0]?.values['drive.S-1.celsius'], 31)
  })
}
