import assert from 'node:assert/strict'
import { test } from 'node:test'
import { silentLog } from '../../../test/databases.ts'
import { postgres } from '../../../test/two-databases.ts'
import { sharedDuties } from './duties.ts'

const LEASE_MS = 60_000
const job = { name: 'job', keptMs: 0 }
const upkeep = { name: 'upkeep', keptMs: 60_000 }

async function twoHubs(leaseMs = LEASE_MS) {
  const opened = await postgres.open()
  const { database } = opened
  return {
    a: sharedDuties({ database, hub: 'a', log: silentLog, leaseMs }),
    b: sharedDuties({ database, hub: 'b', log: silentLog, leaseMs }),
    /** Expires all leases. */
    expire: () => database.kysely.updateTable('duties').set({ until: 1 }).execute(),
    database,
    [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose](),
  }
}

test('sharedDuties lets one hub at a time perform a duty', async () => {
  await using hubs = await twoHubs()
  const { promise: mayEnd, resolve: end } = Promise.withResolvers<string>()
  const { promise: hasBegun, resolve: begin } = Promise.withResolvers<void>()
  const first = hubs.a.perform(job, () => (begin(), mayEnd))
  await hasBegun
  assert.equal(await hubs.b.perform(job, async () => 'b'), undefined)
  assert.deepEqual([...(await hubs.b.elsewhere())], ['job'])
  assert.deepEqual([...(await hubs.a.elsewhere())], [])
  end('a')
  assert.equal(await first, 'a')
  assert.equal(await hubs.b.perform(job, async () => 'b'), 'b')
})

test('sharedDuties releases a duty after a failure', async () => {
  await using hubs = await twoHubs()
  await assert.rejects(
    hubs.a.perform(job, () => Promise.reject(new Error('failed'))),
    /failed/,
  )
  assert.equal(await hubs.b.perform(job, async () => 'b'), 'b')
})

test('sharedDuties keeps a repeated duty with the same hub until its lease expires', async () => {
  await using hubs = await twoHubs()
  assert.equal(await hubs.a.perform(upkeep, async () => 1), 1)
  assert.equal(await hubs.b.perform(upkeep, async () => 2), undefined)
  assert.equal(await hubs.a.perform(upkeep, async () => 3), 3)
  await hubs.expire()
  assert.equal(await hubs.b.perform(upkeep, async () => 4), 4)
  assert.equal(await hubs.a.perform(upkeep, async () => 5), undefined)
})

test('sharedDuties takes over a lease that ends in the far future, because the database clock was set back', async () => {
  await using hubs = await twoHubs()
  await hubs.a.perform(upkeep, async () => 1)
  await hubs.database.kysely
    .updateTable('duties')
    .set({ until: Date.now() + 86_400_000 })
    .execute()
  assert.equal(await hubs.b.perform(upkeep, async () => 2), 2)
})

test('sharedDuties aborts the work of a hub that lost its duty', async () => {
  await using hubs = await twoHubs(30)
  const lost = await hubs.a.perform(job, async (signal) => {
    await hubs.database.kysely
      .updateTable('duties')
      .set({ hub: 'b', until: Date.now() + 40 })
      .execute()
    await new Promise((resolve) => signal.addEventListener('abort', resolve))
    return 'lost'
  })
  assert.equal(lost, 'lost')
})

test('sharedDuties grants each due time to one hub, and never an earlier time', async () => {
  await using hubs = await twoHubs()
  const claims = await Promise.all([hubs.a.claim('backups', 1000), hubs.b.claim('backups', 1000), hubs.a.claim('backups', 1000)])
  assert.equal(claims.filter(Boolean).length, 1)
  assert.equal(await hubs.b.claim('backups', 999), false)
  assert.equal(await hubs.b.claim('backups', 2000), true)
  assert.equal(await hubs.b.claim('logs', 1000), true)
})
