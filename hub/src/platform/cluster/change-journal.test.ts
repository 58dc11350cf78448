import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { secrets, sharedDatabase, type HubSide } from '../../../test/two-databases.ts'
import type { RecordEvent } from '../events/event-bus.ts'

const renamed = (name: string, id = 'i1'): RecordEvent => ({ action: 'update', collection: 'things', record: { id, name } })

const commit = (side: HubSide, ...events: readonly RecordEvent[]): Promise<void> =>
  side.database.write(async (unit) => events.forEach(unit.emit))

const namesOf = ({ events }: HubSide) => events.map(({ record }) => record['name'])

test('changeJournal publishes the changes of another hub once, in order, with the hub’s id', async () => {
  await using shared = await sharedDatabase()
  await using a = await shared.open('a')
  await using b = await shared.open('b')
  await commit(a, { ...renamed('one'), previous: { id: 'i1', name: 'none' } }, { ...renamed('far'), collection: 'unheard' })
  await commit(a, { action: 'delete', collection: 'things', record: { id: 'i2', name: 'gone' } })
  await b.following.read()
  await b.following.read()
  await a.following.read()
  assert.deepEqual(b.events, [
    { action: 'update', collection: 'things', record: { id: 'i1', name: 'one' }, previous: { id: 'i1', name: 'none' }, hub: 'a' },
    { action: 'delete', collection: 'things', record: { id: 'i2', name: 'gone' }, hub: 'a' },
  ])
  assert.deepEqual(namesOf(a), ['one', 'far', 'gone'])
})

test('changeJournal publishes a change that commits after a later change, and no change of a rolled-back transaction', async () => {
  await using shared = await sharedDatabase()
  await using a = await shared.open('a')
  await using b = await shared.open('b')
  const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>()
  const { promise: hasBegun, resolve: begin } = Promise.withResolvers<void>()
  const slow = a.database.write(async (unit) => {
    unit.emit(renamed('slow', 'i1'))
    // Takes a place in the order of transactions before the quick one.
    await sql`select pg_current_xact_id()`.execute(unit.sql)
    begin()
    await mayEnd
  })
  await hasBegun
  await commit(a, renamed('quick', 'i2'))
  await assert.rejects(
    a.database.write(async (unit) => {
      unit.emit(renamed('undone', 'i3'))
      throw new Error('undone')
    }),
  )
  await b.following.read()
  await b.following.read()
  assert.deepEqual(namesOf(b), ['quick'])
  end()
  await slow
  await b.following.read()
  await b.following.read()
  assert.deepEqual(namesOf(b), ['quick', 'slow'])
})

test('changeJournal does not repeat a change that already arrived as a message', async () => {
  await using shared = await sharedDatabase()
  await using a = await shared.open('a')
  await using b = await shared.open('b')
  await commit(a, renamed('one'))
  b.bus.publish({ ...renamed('one'), hub: 'a' })
  await b.following.read()
  await commit(a, renamed('two'))
  await b.following.read()
  assert.deepEqual(namesOf(b), ['one', 'two'])
})

test('changeJournal publishes a change again that arrived before an earlier lost change', async () => {
  await using shared = await sharedDatabase()
  await using a = await shared.open('a')
  await using b = await shared.open('b')
  await commit(a, renamed('lost'))
  await commit(a, renamed('last'))
  b.bus.publish({ ...renamed('last'), hub: 'a' })
  await b.following.read()
  assert.equal(namesOf(b).at(-1), 'last')
})

test('changeJournal keeps a hub’s own change after an earlier change of another hub', async () => {
  await using shared = await sharedDatabase()
  await using a = await shared.open('a')
  await using b = await shared.open('b')
  await commit(a, renamed('of a'))
  await commit(b, renamed('of b'))
  await b.following.read()
  assert.equal(namesOf(b).at(-1), 'of b')
})

test('changeJournal stores encrypted values, and skips rows that it cannot decrypt', async () => {
  await using shared = await sharedDatabase()
  await using a = await shared.open('a')
  await using b = await shared.open('b')
  await commit(a, renamed('a secret value'))
  const [row] = await a.database.kysely.selectFrom('changes').selectAll().execute()
  assert.ok(row !== undefined && !row.event.includes('secret'))
  for (const event of ['', 'v1.AAAA', secrets.seal('changes.event', '{'), secrets.seal('changes.event', '{"action":"update"}')])
    await a.database.kysely.insertInto('changes').values({ at: 0, hub: 'a', event }).execute()
  await commit(a, renamed('after it'))
  await b.following.read()
  assert.deepEqual(namesOf(b), ['a secret value', 'after it'])
  assert.deepEqual(shared.lines, ['changes of another hub ignored: this version cannot read them'])
})

test('changeJournal ignores actions, collections and fields of newer hubs', async () => {
  await using shared = await sharedDatabase()
  await using a = await shared.open('a')
  await using b = await shared.open('b')
  for (const event of [
    { action: 'merge', collection: 'things', record: { id: 'i' } },
    { action: 'merge', collection: 'things', record: { id: 'i' } },
    { action: 'update', collection: 'things', record: { id: 'i', name: 'one', zone: 'new' }, reason: ['new'] },
    { action: 'create', collection: 'zones', record: { id: 'z' } },
  ])
    await a.database.kysely
      .insertInto('changes')
      .values({ at: 0, hub: 'a', event: secrets.seal('changes.event', JSON.stringify(event)) })
      .execute()
  await b.following.read()
  assert.deepEqual(b.events, [
    { action: 'update', collection: 'things', record: { id: 'i', name: 'one', zone: 'new' }, hub: 'a' },
    { action: 'create', collection: 'zones', record: { id: 'z' }, hub: 'a' },
  ])
  assert.equal(shared.lines.length, 1)
})

test('changeJournal reports missed changes after too long without a read', async () => {
  await using shared = await sharedDatabase()
  await using a = await shared.open('a')
  await using b = await shared.open('b', { missedAfterMs: -1 })
  await a.following.read()
  await b.following.read()
  assert.deepEqual([a.hasMissed(), b.hasMissed()], [false, true])
})
