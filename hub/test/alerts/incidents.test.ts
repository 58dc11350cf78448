import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listIncidents, listNoisy } from '../../src/alerts/incidents/incident-list.ts'
import { alertScene } from '../alert-scene.ts'
import { databases } from '../databases.ts'

const cpu = (busyPercent: number) => ({ cpu: { busyPercent } })

for (const kind of databases) {
  test(`${kind.name}: incidents are listed for their user, newest first, if the system is shared with the user`, async () => {
    await using scene = await alertScene(kind)
    const { database, store } = scene.engine
    await scene.addAlert({ name: 'CPU', value: 80, min: 1 })
    await scene.addAlert({ name: 'Memory', value: 80, min: 1 })
    const memory = { totalBytes: 10, usedBytes: 9, usedPercent: 90 }
    await scene.measure(cpu(90))
    await scene.measure(cpu(10))
    await scene.measure({ ...cpu(90), memory })
    await scene.measure(cpu(10))
    const facts = { actor: scene.owner, context: 'default', method: 'GET', query: {}, headers: {} } as const
    const whose = { owner: scene.owner.id, facts }
    const list = async (query: object = {}) => listIncidents(scene.engine, { ...whose, most: 10, ...query })
    const names = async (query?: object) => (await list(query)).map(({ name, ended }) => `${name} ${ended === null ? 'firing' : 'over'}`)
    assert.equal((await list()).length, 3)
    assert.deepEqual(await names({ state: 'firing' }), ['Memory firing'])
    assert.deepEqual(await names({ state: 'over' }), ['CPU over', 'CPU over'])
    assert.deepEqual(await names({ search: 'WEB mem' }), ['Memory firing'])
    assert.deepEqual(await names({ search: '%' }), [])
    const [newest, second, oldest] = await list()
    assert.deepEqual(
      (await list({ after: newest?.id })).map(({ id }) => id),
      [second?.id, oldest?.id],
    )
    assert.deepEqual(
      (await list({ toMs: (oldest?.began ?? 0) + 1 })).map(({ id }) => id),
      [oldest?.id],
    )
    assert.deepEqual((await list({ fromMs: scene.now() })).length, 2)
    assert.deepEqual([oldest?.systemName, oldest?.value, oldest?.threshold], ['web', 90, 80])
    assert.deepEqual(
      (await listNoisy(scene.engine, whose, { sinceMs: 0, most: 10 })).map(({ name, count }) => [name, count]),
      [
        ['CPU', 2],
        ['Memory', 1],
      ],
    )
    assert.deepEqual(await listIncidents(scene.engine, { ...whose, owner: 'nobody', most: 10 }), [])
    const other = await scene.insert('users', { email: 'o@example.com', username: 'other', role: 'user', verified: true, password: 'none' })
    await database.write((unit) => store.update(unit, 'systems', scene.system.id, { users: [other.id] }))
    assert.deepEqual([await list(), await listNoisy(scene.engine, whose, { sinceMs: 0, most: 10 })], [[], []])
  })
}
