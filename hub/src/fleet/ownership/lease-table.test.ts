import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { databases } from '../../../test/databases.ts'
import { engineOn } from '../../../test/test-engine.ts'
import { claimedLease, handedOver, inheritedLease, type Lease } from './lease-rules.ts'
import { leaseTable } from './lease-table.ts'

const postgres = databases.find(({ name }) => name === 'postgres')
assert.ok(postgres)

const LIVING = ['me', 'other']
const before: readonly (Lease | undefined)[] = [undefined, { hub: 'me', epoch: 4 }, { hub: 'other', epoch: 4 }, { hub: 'gone', epoch: 4 }]

async function leasesOn() {
  assert.ok(postgres)
  const opened = await postgres.open()
  const { database } = opened
  const records = engineOn(database).store
  const table = leaseTable(database, 'me', sql`(select unnest(${LIVING}::text[]))`)
  return {
    table,
    database,
    addSystem: async (lease: Lease | undefined) => {
      const { id } = await database.write((unit) => records.insert(unit, 'systems', { name: 'machine', users: [], info: {} }))
      if (lease !== undefined)
        await database.kysely
          .insertInto('system_leases')
          .values({ system: id, ...lease })
          .execute()
      return id
    },
    leaseOf: (system: string): Promise<Lease | undefined> =>
      database.kysely.selectFrom('system_leases').select(['hub', 'epoch']).where('system', '=', system).executeTakeFirst(),
    [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose](),
  }
}

test('each SQL statement decides as the function in lease-rules.ts does', async () => {
  await using leases = await leasesOn()
  const { table, addSystem, leaseOf } = leases
  for (const lease of before) {
    const system = await addSystem(lease)
    const epoch = await table.claim(system)
    const after = claimedLease(lease, 'me')
    assert.equal(epoch, after.epoch)
    assert.deepEqual(await leaseOf(system), after)
  }
  for (const lease of before) {
    const system = await addSystem(lease)
    const inheritance = inheritedLease(lease, 'me', (hub) => LIVING.includes(hub))
    assert.deepEqual(await table.inherit([system]), inheritance === undefined ? [] : [{ system, epoch: inheritance.epoch }])
    assert.deepEqual(await leaseOf(system), inheritance ?? lease)
  }
  for (const lease of before) {
    const system = await addSystem(lease)
    const handed = handedOver(lease, 'me', 'other')
    assert.deepEqual(await table.handOver([system], 'other'), handed === undefined ? [] : [system])
    assert.deepEqual(await leaseOf(system), handed ?? lease)
  }
})

test('leaseTable.lock holds a lease until the transaction ends', async () => {
  await using leases = await leasesOn()
  const { table, database, addSystem } = leases
  const mine = await addSystem({ hub: 'me', epoch: 2 })
  const others = await addSystem({ hub: 'other', epoch: 2 })
  const events: string[] = []
  const taker = leaseTable(database, 'other', sql`(select 'other')`)
  const { promise: claim, resolve } = Promise.withResolvers<void>()
  await database.write(async (unit) => {
    assert.deepEqual(await table.lock(unit, [mine, others]), [{ system: mine, epoch: 2 }])
    void taker.claim(mine).then((epoch) => {
      events.push(`claimed ${epoch}`)
      resolve()
    })
    // Another connection shows that the claim waits for a lock.
    for (let waits = 0; waits === 0;) {
      const { rows } = await sql<{ waits: number }>`select count(*) as waits from pg_locks where not granted`.execute(database.kysely)
      waits = rows[0]?.waits ?? 0
    }
    events.push('stored')
  })
  await claim
  assert.deepEqual(events, ['stored', 'claimed 3'])
})

test('leaseTable: counts, ownerless and deleteUnused agree with the stored rows', async () => {
  await using leases = await leasesOn()
  const { table, database, addSystem } = leases
  const systems = await Promise.all(before.map(addSystem))
  await database.kysely.insertInto('system_leases').values({ system: 'deleted', hub: 'other', epoch: 1 }).execute()
  assert.deepEqual(await table.counts(), { systems: 4, leases: 4, own: 1, living: 3 })
  assert.deepEqual((await table.ownerless()).toSorted(), [systems[0], systems[3]].toSorted())
  await table.deleteUnused()
  assert.deepEqual(await table.counts(), { systems: 4, leases: 3, own: 1, living: 2 })
  assert.equal(await table.ownerOf(systems[3] ?? ''), 'gone')
  assert.deepEqual(await table.own(), [{ system: systems[1], epoch: 4 }])
})
