import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { databases } from '../../../test/databases.ts'
import { engineOn } from '../../../test/test-engine.ts'
import { collections } from '../collections/collections.ts'
import type { StoredRecord } from '../model/stored-record.ts'
import { audienceOf, eventTextsOf, viewOf, type View } from './realtime-views.ts'

// The decisions are made in memory, so one database is enough.
const [sqlite] = databases
const opened = (await sqlite?.open()) ?? assert.fail('there is no database')
after(() => opened[Symbol.asyncDispose]())
const engine = engineOn(opened.database)

const systems = collections.find('systems') ?? assert.fail()
const containers = collections.find('containers') ?? assert.fail()
const topicOf = (name: string) => ({ text: `${name}/*`, name, rest: '*', query: {}, headers: {} })
const account = (id: string, ...viewTags: string[]): StoredRecord => ({ id, role: 'user', verified: true, viewTags, changeTags: [] })
const viewBy = (actor: StoredRecord, collection = systems): View => viewOf(engine, { collection, topic: topicOf(collection.name), actor })
const system = (users: readonly string[], ...accessTags: string[]): StoredRecord => ({
  id: 'web',
  name: 'web',
  users: [...users],
  accessTags,
})

/** Returns for each view whether it gets the text of the event. */
async function seen(views: readonly View[], record: StoredRecord, previous = record, collection = 'systems'): Promise<readonly boolean[]> {
  const look = eventTextsOf(engine, { action: 'update', collection, record, previous }, () => undefined)
  return (await Promise.all(views.map(look))).map((text) => text !== undefined)
}

test('accounts with equal tags are decided on apart: only one of them is a user of the system', async () => {
  const views = [account('one', 'a', 'b'), account('two', 'a', 'b'), account('three', 'a', 'b')].map((one) => viewBy(one))
  assert.deepEqual(await seen(views, system(['two'], 'c')), [false, true, false])
  assert.deepEqual(await seen(views, system(['three'])), [false, false, true])
  assert.deepEqual(await seen(views, system(['three'], 'b')), [true, true, true])
})

test('an account without an id or with an unusual one is no user of a system', async () => {
  const views = ['', 'one,two', '["one"]', 'ONE', 'on'].map((id) => viewBy(account(id)))
  assert.deepEqual(await seen(views, system(['one', ''], 'a')), [false, false, false, false, false])
})

test('a system whose tags change in the event is decided on by its new tags', async () => {
  const views = [viewBy(account('one', 'a')), viewBy(account('two', 'b'))]
  assert.deepEqual(await seen(views, system([], 'b'), system([], 'a')), [false, true])
  assert.deepEqual(await seen(views, system([]), system([], 'b')), [false, false])
  // Two states of one record, decided on by the same views, do not mix.
  const [before, now] = await Promise.all([seen(views, system([], 'a')), seen(views, system([], 'b'))])
  assert.deepEqual(
    [before, now],
    [
      [true, false],
      [false, true],
    ],
  )
})

test('an account whose tags change between two events gets a new view', async () => {
  const audience = audienceOf<string>(engine)
  const [was, is, other] = [account('one', 'a'), account('one', 'b'), account('two', 'a')]
  const topics = [topicOf('systems')]
  const seers = async () => {
    const all = [...audience.of(systems)]
    const may = await seen(
      all.map(({ view }) => view),
      system([], 'a'),
    )
    return all.flatMap(({ subscribers }, at) => (may[at] === true ? [...subscribers] : []))
  }
  audience.join('stream one', was, topics)
  audience.join('stream two', other, topics)
  assert.deepEqual(await seers(), ['stream one', 'stream two'])
  audience.leave('stream one', was, topics)
  audience.join('stream one', is, topics)
  assert.deepEqual(await seers(), ['stream two'])
})

test('a record of a system is decided on by the users and tags of its system', async () => {
  await opened.database.write(async (unit) => {
    for (const id of ['one', 'two', 'three'])
      await engine.store.insert(unit, 'users', { id, email: `${id}@example.com`, username: id, role: 'user', verified: true })
    await engine.store.insert(unit, 'systems', { id: 'web', name: 'web', host: 'h', users: ['one'], accessTags: ['a'] })
  })
  const views = [account('one'), account('two'), account('three', 'a'), account('four', 'b')].map((one) => viewBy(one, containers))
  const container = { id: 'c', system: 'web', name: 'c' }
  assert.deepEqual(await seen(views, container, container, 'containers'), [true, false, true, false])
  const elsewhere = { ...container, system: 'gone' }
  assert.deepEqual(await seen(views, elsewhere, elsewhere, 'containers'), [false, false, false, false])
})
