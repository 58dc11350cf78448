import assert from 'node:assert/strict'
import { test } from 'node:test'
import { postgres, secrets } from '../../../test/two-databases.ts'
import { openDatabase } from '../db/open-database.ts'
import { inProcessEventBus } from '../events/event-bus.ts'
import { silentLog } from '../../../test/databases.ts'
import { deleteEndedCounts, storedCounts } from './stored-counts.ts'

const HOUR_MS = 3_600_000
const few = { name: 'few', most: 3, windowMs: HOUR_MS }
const many = { name: 'many', most: 30, windowMs: HOUR_MS }

/** The counts of two hubs on one database. */
async function twoHubs() {
  const opened = await postgres.open()
  const other = await openDatabase({ at: opened.at, bus: inProcessEventBus(), log: silentLog })
  return {
    a: storedCounts(opened.database, secrets),
    b: storedCounts(other, secrets),
    database: opened.database,
    async [Symbol.asyncDispose]() {
      await other.close()
      await opened[Symbol.asyncDispose]()
    },
  }
}

test('storedCounts admits as many attempts over two hubs as over one, also at the same time', async () => {
  await using hubs = await twoHubs()
  const tries = Array.from({ length: 12 }, (_, at) => (at % 2 === 0 ? hubs.a : hubs.b))
  const waits = await Promise.all(tries.map((hub) => hub.admit([{ limit: few, key: 'k' }])))
  assert.equal(waits.filter((wait) => wait === undefined).length, 3)
  assert.ok(waits.every((wait) => wait === undefined || (wait > 3500 && wait <= 3600)))
  assert.equal(await hubs.a.admit([{ limit: few, key: 'another' }]), undefined)
})

test('storedCounts does not count refused attempts', async () => {
  await using hubs = await twoHubs()
  const both = [
    { limit: many, key: 'account' },
    { limit: few, key: 'address' },
  ]
  for (let made = 0; made < 40; made += 1) await hubs.a.admit(both)
  for (let made = 0; made < 27; made += 1) assert.equal(await hubs.b.admit([{ limit: many, key: 'account' }]), undefined)
  assert.notEqual(await hubs.b.admit([{ limit: many, key: 'account' }]), undefined)
})

test('storedCounts: revert and reset apply to every hub', async () => {
  await using hubs = await twoHubs()
  const one = { limit: few, key: 'k' }
  for (let made = 0; made < 3; made += 1) await hubs.a.admit([one])
  await hubs.b.revert([one])
  assert.equal(await hubs.a.admit([one]), undefined)
  assert.notEqual(await hubs.b.admit([one]), undefined)
  await hubs.a.reset(one)
  assert.equal(await hubs.b.admit([one]), undefined)
})

test('storedCounts: remember applies to every hub', async () => {
  await using hubs = await twoHubs()
  assert.equal(await hubs.b.isRemembered('k'), false)
  await hubs.a.remember('k')
  assert.equal(await hubs.b.isRemembered('k'), true)
})

test('storedCounts starts a new window after the end of a window, and after the database clock was set back', async () => {
  await using hubs = await twoHubs()
  const one = { limit: few, key: 'k' }
  const fill = async () => {
    while ((await hubs.a.admit([one])) === undefined);
  }
  for (const times of [
    { since: 0, until: 1 },
    { since: Date.now() + HOUR_MS, until: Date.now() + 2 * HOUR_MS },
  ]) {
    await fill()
    await hubs.database.kysely.updateTable('attempt_counts').set(times).execute()
    assert.equal(await hubs.b.admit([one]), undefined)
  }
})

test('deleteEndedCounts keeps windows that have not ended', async () => {
  await using hubs = await twoHubs()
  await hubs.a.admit([{ limit: few, key: 'old' }])
  await hubs.database.kysely.updateTable('attempt_counts').set({ until: 1 }).execute()
  await hubs.a.admit([{ limit: few, key: 'new' }])
  await hubs.database.write(({ sql }) => deleteEndedCounts(sql))
  assert.equal((await hubs.database.kysely.selectFrom('attempt_counts').selectAll().execute()).length, 1)
})
