import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { databases } from '../../../test/databases.ts'
import { collections } from '../collections/collections.ts'
import { containers } from '../collections/containers.ts'
import { systems } from '../collections/systems.ts'
import { secretBox } from '../../platform/secrets/secret-box.ts'
import { recordTableStore } from './record-table-store.ts'

for (const kind of databases) {
  const open = async () => {
    const opened = await kind.open()
    const clock = { now: () => Date.UTC(2026, 0, 10) }
    const store = recordTableStore({ database: opened.database, collections, secrets: secretBox(randomBytes(32)), clock })
    return { ...opened, store, [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose]() }
  }

  test(`${kind.name}: updateMany changes any number of records, and emits events on request`, async () => {
    await using opened = await open()
    const { database, store, events } = opened
    const ids = Array.from({ length: 87 }, (_, at) => `a${at.toString(16).padStart(11, '0')}`)
    await database.write(async (unit) => {
      for (const id of ids) await store.insert(unit, 'containers', { id, name: id, cpu: 1.5, net: 2 })
    })
    const before = events.length
    const changed = await database.write(async (unit) => {
      const loaded = await store.loadManyToChange(containers, ids, unit)
      const changes = loaded.map((previous, at) => ({
        before: previous,
        values: { name: previous['name'] ?? '', cpu: at / 4, status: `it's ${at}` },
      }))
      await store.updateMany(unit, containers, changes.slice(0, 80))
      return store.updateMany(unit, containers, changes.slice(80))
    })
    const stored = await store.loadMany(containers, ids)
    assert.deepEqual(
      stored.toSorted((a, b) => (a.id < b.id ? -1 : 1)).map(({ name, cpu, status, net }) => [name, cpu, status, net]),
      ids.map((id, at) => [id, at / 4, `it's ${at}`, 2]),
    )
    assert.deepEqual(
      events.slice(before + 80).map(({ action, record, previous }) => [action, record, previous?.['cpu']]),
      changed.map((record) => ['update', record, 1.5]),
    )
    assert.equal(changed.length, 7)
  })

  test(`${kind.name}: updateMany sets the updated date, keeps JSON fields, and does not restore deleted records`, async () => {
    await using opened = await open()
    const { database, store } = opened
    const first = { name: 'one', host: 'h', status: 'up', info: { u: 1 }, users: ['u1'], updated: '2020-01-01 00:00:00.000Z' }
    const [one, two] = await database.write(async (unit) => [
      await store.insert(unit, 'systems', first),
      await store.insert(unit, 'systems', { ...first, name: 'two' }),
    ])
    assert.ok(one && two)
    await database.write(async (unit) => {
      await store.remove(unit, 'systems', two.id)
      await store.updateMany(
        unit,
        systems,
        [one, two].map((before) => ({ before, values: { info: { u: 2, t: 'say "hi"\\' } } })),
      )
    })
    const left = await store.loadWhere('systems', {})
    assert.deepEqual(left, [{ ...one, info: { u: 2, t: 'say "hi"\\' }, updated: '2026-01-10 00:00:00.000Z' }])
  })
}
