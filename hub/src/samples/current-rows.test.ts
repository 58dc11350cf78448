import assert from 'node:assert/strict'
import type { ContainerSample } from '@vedette/protocol/metrics/sample'
import { test } from 'node:test'
import { databases, type TestDatabaseKind } from '../../test/databases.ts'
import { transactionWaits } from '../../test/waiting-transaction.ts'
import { engineOn } from '../../test/test-engine.ts'
import { containers as collection } from '../records/collections/containers.ts'
import type { RecordStore } from '../records/model/record-store.ts'
import { compareContainers, type RunningSample, type Writing } from './current-rows.ts'

const [web, shared, newWeb] = ['aaaaaaaaaaaa', 'bbbbbbbbbbbb', 'cccccccccccc']
const running = (id: string, name: string, more: Partial<ContainerSample> = {}): ContainerSample => ({
  id,
  name,
  cpuPercent: 1.5,
  memoryBytes: 2 ** 20,
  ...more,
})

/** Reports of two systems, minute by minute. Containers are added, changed, removed and recreated, and two engines share an id. */
const minutes: readonly (readonly RunningSample[])[] = [
  [{ system: 'one', containers: [running(web, 'web'), running(shared, 'db')] }],
  [
    { system: 'one', containers: [running(web, 'web', { cpuPercent: 9, status: "Up 5 minutes, it's well" }), running(shared, 'db')] },
    { system: 'two', containers: [running(shared, 'db', { health: 'healthy', image: 'postgres:18' })] },
  ],
  [
    { system: 'one', containers: [running(newWeb, 'web', { ports: '80/tcp' }), running(shared, 'db')] },
    { system: 'two', containers: undefined },
  ],
  [
    { system: 'one', containers: [running(newWeb, 'renamed'), running(newWeb, 'twice, the last counts')] },
    { system: 'two', containers: [running(shared, 'db', { memoryBytes: 2 ** 30 })] },
  ],
  [{ system: 'two', containers: [] }],
]

async function storeContainers(writing: Writing, samples: readonly RunningSample[], nowMs: number): Promise<void> {
  const store = await compareContainers(writing, samples, nowMs)
  await writing.records.updateMany(writing.unit, collection, await store())
}

async function rowsAfterEach(kind: TestDatabaseKind) {
  await using opened = await kind.open()
  const { database, events } = opened
  const { store } = engineOn(database)
  const ids = new Map<string, string>()
  for (const name of ['one', 'two']) {
    const { id } = await database.write((unit) => store.insert(unit, 'systems', { name, status: 'up', users: [], info: {} }))
    ids.set(name, id)
  }
  const first = events.length
  const states = []
  for (const [minute, said] of minutes.entries()) {
    const before = events.length
    const known = said.map(({ system, containers }) => ({ system: ids.get(system) ?? '', containers }))
    await database.write((unit) => storeContainers({ records: store, unit, dialect: database.dialect }, known, 1000 + minute))
    // An event contains the stored row, so that subscribers need not read it.
    for (const { action, record } of events.slice(before))
      if (action !== 'delete') assert.deepEqual(await store.load('containers', record.id), record)
    states.push(await rowsOf(store, new Map([...ids].map(([name, id]) => [id, name]))))
  }
  return { states, events: events.slice(first) }
}

/** The rows with the names of their systems. The second row of a shared id has an id made of its system's, which differs in each database. */
async function rowsOf(store: RecordStore, names: ReadonlyMap<string, string>) {
  const rows = (await store.loadWhere('containers', {})).map(({ id, ...row }) => {
    const system = names.get(String(row['system'])) ?? ''
    const short = `${system} ${String(row['name'])} ${String(row['cpu'])} ${String(row['updated'])} ${id === row['containerId']}`
    return { row: { ...row, system }, short }
  })
  return rows.toSorted((a, b) => (a.short < b.short ? -1 : 1))
}

for (const kind of databases) {
  test(`${kind.name}: compareContainers stores the running containers, and its events contain the stored rows`, async () => {
    const { states, events } = await rowsAfterEach(kind)
    assert.deepEqual(
      states.map((rows) => rows.map(({ short }) => short)),
      [
        ['one db 1.5 1000 true', 'one web 1.5 1000 true'],
        ['one db 1.5 1001 true', 'one web 9 1001 true', 'two db 1.5 1001 false'],
        ['one db 1.5 1002 true', 'one web 1.5 1002 true', 'two db 1.5 1001 false'],
        ['one twice, the last counts 1.5 1003 true', 'two db 1.5 1003 false'],
        ['one twice, the last counts 1.5 1003 true'],
      ],
    )
    assert.deepEqual(
      events.map(({ action, record }) => `${action} ${String(record['name'])} ${String(record['updated'])}`),
      [
        'create web 1000',
        'create db 1000',
        'create db 1001',
        'update web 1001',
        'update db 1001',
        'create web 1002',
        'delete web 1001',
        'update db 1002',
        'delete db 1002',
        'update twice, the last counts 1003',
        'update db 1003',
        'delete db 1003',
      ],
    )
  })
}

for (const kind of databases)
  for (const stepMs of [3_600_000, 86_400_000])
    test(`${kind.name}: compareContainers removes unconfirmed rows when the clock was set back by ${stepMs / 3_600_000} h`, async () => {
      await using opened = await kind.open()
      const { database } = opened
      const { store } = engineOn(database)
      const { id } = await database.write((unit) => store.insert(unit, 'systems', { name: 'one', status: 'up', users: [], info: {} }))
      const say = (containers: RunningSample['containers'], nowMs: number) =>
        database.write((unit) => storeContainers({ records: store, unit, dialect: database.dialect }, [{ system: id, containers }], nowMs))
      await say([running(web, 'web')], stepMs)
      await say(undefined, 0)
      assert.deepEqual(await store.loadWhere('containers', {}), [])
    })

for (const kind of databases)
  test(`${kind.name}: compareContainers creates a row per system when two systems report the same new container`, async () => {
    await using opened = await kind.open()
    const { database } = opened
    const { store } = engineOn(database)
    const add = (name: string) => database.write((unit) => store.insert(unit, 'systems', { name, status: 'up', users: [], info: {} }))
    const [one, two] = [(await add('one')).id, (await add('two')).id]
    // Its system was deleted.
    await database.write((unit) => store.insert(unit, 'containers', { id: shared, system: '', name: 'old' }))
    const samples = [one, two].map((system) => ({ system, containers: [running(shared, 'db'), running(`${system}1`, 'web')] }))
    await database.write((unit) => storeContainers({ records: store, unit, dialect: database.dialect }, samples, 1000))
    const rows = await store.loadWhere('containers', {})
    assert.deepEqual(
      rows.map((row) => `${String(row['system'])} ${String(row['name'])} ${row.id === shared}`).toSorted(),
      [`${one} db true`, `${one} web false`, `${two} db false`, `${two} web false`].toSorted(),
    )
  })

test('postgres: two hubs can both add a container that both their systems report', { timeout: 300_000 }, async () => {
  const postgres = databases.find(({ name }) => name === 'postgres')
  assert.ok(postgres)
  await using opened = await postgres.open()
  const { database } = opened
  const { store } = engineOn(database)
  const add = async (name: string) =>
    (await database.write((unit) => store.insert(unit, 'systems', { name, status: 'up', users: [], info: {} }))).id
  const [one, two] = [await add('one'), await add('two')]
  const isFirstStored = Promise.withResolvers<void>()
  const report = (system: string, meanwhile?: () => Promise<void>) =>
    database.write(async (unit) => {
      await storeContainers({ records: store, unit, dialect: database.dialect }, [{ system, containers: [running(shared, 'db')] }], 1000)
      isFirstStored.resolve()
      await meanwhile?.()
    })
  const first = report(one, () => transactionWaits(database))
  await isFirstStored.promise
  await Promise.all([first, report(two)])
  const rows = await store.loadWhere('containers', {})
  assert.deepEqual(rows.map((row) => row['system']).toSorted(), [one, two].toSorted())
})
