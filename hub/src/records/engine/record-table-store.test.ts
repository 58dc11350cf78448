import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { databases, type TestDatabaseKind } from '../../../test/databases.ts'
import { collections } from '../collections/collections.ts'
import { sql } from 'kysely'
import { secretBox } from '../../platform/secrets/secret-box.ts'
import { recordTableStore } from './record-table-store.ts'

async function opened(kind: TestDatabaseKind) {
  const test = await kind.open()
  const store = recordTableStore({ database: test.database, collections, secrets: secretBox(randomBytes(32)), clock: { now: () => 0 } })
  return { ...test, store, [Symbol.asyncDispose]: () => test[Symbol.asyncDispose]() }
}

const now = '1970-01-01 00:00:00.000Z'

for (const kind of databases) {
  test(`${kind.name}: every field of every collection has its column, and an empty record is loaded as stored`, async () => {
    await using hub = await opened(kind)
    for (const collection of collections.all.filter(({ storage }) => storage === 'table')) {
      const inserted = await hub.database.write((unit) => hub.store.insert(unit, collection.name, {}))
      assert.deepEqual(await hub.store.load(collection.name, inserted.id), inserted)
    }
  })

  test(`${kind.name}: recordTableStore loads values of every type as stored`, async () => {
    await using hub = await opened(kind)
    const info = { cpu: 12.5, la: [0.5, 1], text: 'zürich ☂', none: null, deep: { a: [{ k: 1 }] } }
    const system = await hub.database.write((unit) =>
      hub.store.insert(unit, 'systems', { name: 'web', host: 'h', port: '1', status: 'up', users: ['a', 'b'], info, tags: ['a\\b', '☂'] }),
    )
    assert.deepEqual(await hub.store.load('systems', system.id), {
      id: system.id,
      name: 'web',
      host: 'h',
      port: '1',
      status: 'up',
      users: ['a', 'b'],
      info,
      tags: ['a\\b', '☂'],
      tagSources: null,
      accessTags: [],
      created: now,
      updated: now,
    })
    assert.deepEqual(
      hub.events.map(({ action, collection }) => [action, collection]),
      [['create', 'systems']],
    )
  })

  test(`${kind.name}: loadIds returns the ids of all records in creation order`, async () => {
    await using hub = await opened(kind)
    assert.deepEqual(await hub.store.loadIds('systems'), [])
    const made = ['b', 'c', 'a']
    await hub.database.write(async (unit) => {
      for (const id of made) await hub.store.insert(unit, 'systems', { id, name: id })
    })
    assert.deepEqual(await hub.store.loadIds('systems'), made)
  })

  test(`${kind.name}: insertMany stores and emits the same as insert`, async () => {
    await using hub = await opened(kind)
    const rows = [
      { id: 'one', system: 's', token: 'first' },
      { id: 'two', system: '', token: 'second' },
    ]
    const many = collections.all.find(({ name }) => name === 'fingerprints')
    assert.ok(many)
    await hub.database.write((unit) => hub.store.insertMany(unit, many, rows))
    const stored = await hub.store.loadMany(many, ['one', 'two'])
    assert.deepEqual(
      hub.events,
      stored.map((record) => ({ action: 'create', collection: 'fingerprints', record })),
    )
    await using other = await opened(kind)
    for (const row of rows) await other.database.write((unit) => other.store.insert(unit, 'fingerprints', row))
    assert.deepEqual(stored, await other.store.loadMany(many, ['one', 'two']))
    assert.deepEqual(await hub.store.loadWhere('fingerprints', { token: 'first' }), [stored[0]])
  })

  test(`${kind.name}: a record is found by its secret, which is not in the database in plain text`, async () => {
    await using hub = await opened(kind)
    const made = await hub.database.write((unit) => hub.store.insert(unit, 'fingerprints', { system: 's', token: 'a-secret-token' }))
    assert.deepEqual(await hub.store.loadWhere('fingerprints', { token: 'a-secret-token' }), [made])
    assert.deepEqual(await hub.store.loadWhere('fingerprints', { token: 'another' }), [])
    const { rows } = await sql`select * from fingerprints`.execute(hub.database.kysely)
    assert.ok(!JSON.stringify(rows).includes('a-secret-token'))
  })

  test(`${kind.name}: update changes the given fields and the updated date, and returns undefined for a deleted record`, async () => {
    await using hub = await opened(kind)
    const made = await hub.database.write((unit) => hub.store.insert(unit, 'systems', { name: 'a', host: 'h', users: ['u'] }))
    const changed = await hub.database.write((unit) => hub.store.update(unit, 'systems', made.id, { name: 'b', nonsense: 1 }))
    assert.deepEqual(changed, { ...made, name: 'b' })
    assert.deepEqual(hub.events.at(-1), { action: 'update', collection: 'systems', record: changed, previous: made })
    assert.equal(await hub.database.write((unit) => hub.store.update(unit, 'systems', 'gone', {})), undefined)
  })

  test(`${kind.name}: remove deletes cascading references, clears other references and shortens lists`, async () => {
    await using hub = await opened(kind)
    const { store, database } = hub
    await database.write(async (unit) => {
      for (const id of ['u1', 'u2']) await store.insert(unit, 'users', { id, email: `${id}@example.com` })
      await store.insert(unit, 'systems', { id: 's1', name: 'shared', host: 'h', users: ['u1', 'u2'] })
      await store.insert(unit, 'systems', { id: 's2', name: 'alone', host: 'h', users: ['u1'] })
      await store.insert(unit, 'alerts', { id: 'a1', user: 'u2', system: 's2', name: 'CPU' })
      await store.insert(unit, 'containers', { id: 'c1', system: 's2', name: 'nginx' })
      await unit.sql.insertInto('history_rows').values({ system: 's2', kind: 'system', tier: '1m', at: 1, data: '{}' }).execute()
    })
    await database.write((unit) => store.remove(unit, 'users', 'u1'))
    assert.deepEqual((await store.load('systems', 's1'))?.['users'], ['u2'])
    assert.equal(await store.load('systems', 's2'), undefined)
    assert.equal(await store.load('alerts', 'a1'), undefined)
    assert.equal((await store.load('containers', 'c1'))?.['system'], '')
    assert.deepEqual(await database.kysely.selectFrom('history_rows').selectAll().execute(), [])
    const after = hub.events.slice(-5).map(({ action, record }) => `${action} ${record.id}`)
    assert.deepEqual(after.toSorted(), ['delete a1', 'delete s2', 'delete u1', 'update c1', 'update s1'])
  })
}
