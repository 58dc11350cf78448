import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRecord, deleteRecord } from '../../src/records/writing/write.ts'
import { assertAlertsAgree } from '../alert-agreement.ts'
import { alertScene } from '../alert-scene.ts'
import { databases } from '../databases.ts'

const ROUNDS = 30

for (const kind of databases)
  test(
    `${kind.name}: policies that change while samples arrive neither block them nor leave an alert behind`,
    { timeout: 300_000 },
    async () => {
      await using scene = await alertScene(kind)
      const { engine, owner } = scene
      const policies = engine.collections.find('alert_policies')
      assert.ok(policies)
      const facts = { actor: owner, context: 'default', query: {}, headers: {} } as const
      const set = (name: string) =>
        createRecord(engine, policies, {
          ...facts,
          method: 'POST',
          body: { user: owner.id, name, values: { threshold: 80, minutes: 1 } },
        })
      const memory = { totalBytes: 10, usedBytes: 9 }
      for (let round = 0; round < ROUNDS; round++) {
        const isBusy = round % 2 === 0
        const sample = { cpu: { busyPercent: isBusy ? 90 : 10 }, memory: { ...memory, usedPercent: isBusy ? 90 : 10 } }
        const [cpu, load] = await Promise.all([set('CPU'), set('Memory'), scene.measure(sample)])
        await Promise.all([
          scene.measure(sample),
          deleteRecord(engine, policies, { ...facts, method: 'DELETE' }, load.id),
          deleteRecord(engine, policies, { ...facts, method: 'DELETE' }, cpu.id),
          scene.measure(sample),
        ])
        assert.deepEqual(await engine.store.loadWhere('alerts', {}), [], `round ${round}`)
      }
      await assertAlertsAgree(engine)
    },
  )
