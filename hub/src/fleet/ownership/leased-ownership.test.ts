import assert from 'node:assert/strict'
import { test } from 'node:test'
import { databases, silentLog } from '../../../test/databases.ts'
import { messagesInMemory } from '../../../test/messages-in-memory.ts'
import { engineOn } from '../../../test/test-engine.ts'
import { joinHubs } from '../../platform/cluster/membership.ts'
import { leasedOwnership } from './leased-ownership.ts'
import { systemClock } from '../../platform/clock.ts'

const postgres = databases.find(({ name }) => name === 'postgres')
assert.ok(postgres)

const NEVER_MS = 3_600_000

/** Hubs on one database. Their rows are renewed when a test asks for it. */
async function hubsOnOne({ awayAfterMs = NEVER_MS } = {}) {
  assert.ok(postgres)
  const stack = new AsyncDisposableStack()
  const { database, bus } = stack.use(await postgres.open())
  const records = engineOn(database).store
  const messages = messagesInMemory()
  let nowMs = 0

  async function start(name: string, dialled: (system: string) => boolean = () => true) {
    const own = stack.use(new AsyncDisposableStack())
    const membership = own.use(
      await joinHubs({ database, log: silentLog, clock: systemClock, name, shares: true, renewEveryMs: NEVER_MS, goneAfterMs: NEVER_MS }),
    )
    const parts = { database, membership, messages: messages.connect(), bus, log: silentLog, nowMs: () => nowMs, awayAfterMs }
    const ownership = own.use(await leasedOwnership(parts))
    const moved: string[] = []
    ownership.subscribe({ onMoved: (systems) => void moved.push(...systems), isDialled: dialled })
    return {
      ownership,
      moved,
      id: membership.id,
      end: () => own.disposeAsync(),
      /** Makes other hubs count this hub as gone. */
      die: () => database.kysely.updateTable('hubs').set({ seen_at: 0 }).where('id', '=', membership.id).execute(),
      /** The work that a hub does every 2 s. */
      renew: async () => {
        await membership.renew()
        await ownership.look()
      },
      owned: (systems: readonly string[]) => systems.filter(ownership.owns),
    }
  }

  return {
    start,
    messages,
    database,
    pass: (ms: number) => void (nowMs += ms),
    addSystems: (count: number): Promise<readonly string[]> =>
      Promise.all(
        Array.from({ length: count }, async () => {
          const record = await database.write((unit) => records.insert(unit, 'systems', { name: 'm', users: [], info: {} }))
          return record.id
        }),
      ),
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

/** Returns the hubs that may store a sample of the system under the lease that they believe to hold. */
async function writers(
  hubs: readonly Awaited<ReturnType<Awaited<ReturnType<typeof hubsOnOne>>['start']>>[],
  system: string,
  on: Awaited<ReturnType<typeof hubsOnOne>>,
) {
  const admitted = []
  for (const { ownership, id } of hubs)
    if (await on.database.write((unit) => ownership.admits(unit, system, ownership.epochOf(system)))) admitted.push(id)
  return admitted
}

test('hubs share the systems: a new hub gets its part, and all other systems stay', async () => {
  await using on = await hubsOnOne()
  const systems = await on.addSystems(60)
  const a = await on.start('a')
  assert.deepEqual(a.owned(systems), systems, 'the only hub owns all')
  const b = await on.start('b')
  assert.deepEqual(b.owned(systems), [])
  await a.renew()
  await b.renew()
  assert.ok(b.owned(systems).length > 10)
  assert.deepEqual([...a.owned(systems), ...b.owned(systems)].toSorted(), systems.toSorted())
  assert.deepEqual(a.moved.toSorted(), b.owned(systems).toSorted(), 'listeners hear of what moved')
})

test('a connecting agent moves its system to the new hub, and the former owner is notified', async () => {
  await using on = await hubsOnOne()
  const [system = ''] = await on.addSystems(1)
  const a = await on.start('a', () => false)
  const b = await on.start('b', () => false)
  assert.equal(await b.ownership.claim(system), true)
  assert.equal(await b.ownership.claim(system), false, 'a second connection changes nothing')
  assert.deepEqual([a.owned([system]), b.owned([system])], [[], [system]])
  assert.deepEqual(a.moved, [system])
  assert.equal(await b.ownership.ownerOf(system), b.id)
})

test('a former owner without messages cannot store samples, and learns of the loss at its next renewal', async () => {
  await using on = await hubsOnOne()
  const [system = ''] = await on.addSystems(1)
  const a = await on.start('a', () => false)
  const b = await on.start('b', () => false)
  on.messages.cut()
  await b.ownership.claim(system)
  assert.deepEqual(a.owned([system]), [system], 'it does not know yet')
  assert.deepEqual(await writers([a, b], system, on), [b.id])
  await a.renew()
  assert.deepEqual(a.owned([system]), [])
})

test('a lease that returns to a hub has a new epoch, and samples fetched under the old epoch are refused', async () => {
  await using on = await hubsOnOne()
  const [system = ''] = await on.addSystems(1)
  const a = await on.start('a', () => false)
  const b = await on.start('b', () => false)
  const first = a.ownership.epochOf(system)
  await b.ownership.claim(system)
  await a.ownership.claim(system)
  assert.equal(await on.database.write((unit) => a.ownership.admits(unit, system, first)), false)
  assert.deepEqual(await writers([a, b], system, on), [a.id])
})

test('the systems of a dead hub get one new owner each, and their agents get time to reconnect', async () => {
  await using on = await hubsOnOne()
  const systems = await on.addSystems(30)
  const a = await on.start('a')
  const b = await on.start('b')
  await a.renew()
  await b.renew()
  const [inherited = ''] = a.owned(systems)
  await a.die()
  await b.renew()
  assert.deepEqual(b.owned(systems), systems)
  assert.deepEqual(await writers([a, b], inherited, on), [b.id], 'a hub that was frozen stores nothing late')
  assert.equal(b.ownership.settlingMs(inherited), 90_000)
  const decides = () => on.database.write((unit) => b.ownership.decides(unit, inherited))
  assert.equal(await decides(), false)
  on.pass(90_000)
  assert.equal(b.ownership.settlingMs(inherited), 0)
  assert.equal(await decides(), true)
  await a.renew()
  assert.ok(!a.owned(systems).includes(inherited), 'it finds out when it is back')
})

test('a hub that ends releases its systems at once', async () => {
  await using on = await hubsOnOne()
  const systems = await on.addSystems(10)
  const a = await on.start('a')
  const b = await on.start('b')
  await a.end()
  await b.renew()
  assert.deepEqual(b.owned(systems), systems)
})

test('a leases message that is not a list of leases is dropped', async () => {
  await using on = await hubsOnOne()
  const [system = ''] = await on.addSystems(1)
  const a = await on.start('a')
  const { publish } = on.messages.connect()
  for (const message of [
    null,
    7,
    { leases: [[system]] },
    { leases: [[system, '9']] },
    { leases: [[system, 1.5]] },
    { leases: [['__proto__', 9]] },
  ])
    publish('leases.taken', message)
  assert.deepEqual(a.owned([system]), [system])
})

test('a leases message in a newer format makes a hub read the database; unknown fields are ignored', async () => {
  await using on = await hubsOnOne()
  const systems = await on.addSystems(2)
  const [first = '', second = ''] = systems
  const a = await on.start('a')
  const { publish } = on.messages.connect()
  publish('leases.taken', { leases: [[first, 9]], reason: ['new'] })
  assert.deepEqual(a.owned(systems), [second])
  await on.database.kysely.updateTable('system_leases').set({ hub: 'newer', epoch: 2 }).execute()
  publish('leases.taken', { leases: [{ system: second, epoch: 2 }] })
  while (a.owned(systems).length > 0) await new Promise((resolve) => setImmediate(resolve))
})

test('no system is marked down right after a database outage, because no hub could accept its agent', async () => {
  await using on = await hubsOnOne({ awayAfterMs: 6000 })
  const [system = ''] = await on.addSystems(1)
  const a = await on.start('a', () => false)
  await a.ownership.claim(system)
  const decides = () => on.database.write((unit) => a.ownership.decides(unit, system))
  on.pass(6000)
  assert.equal(a.ownership.settlingMs(system), 0, 'a renewal may be late')
  assert.equal(await decides(), true)
  on.pass(1)
  assert.equal(a.ownership.settlingMs(system), 30_000, 'away')
  assert.equal(await decides(), false)
  on.pass(60_000)
  await a.renew()
  on.pass(2000)
  await a.renew()
  assert.equal(a.ownership.settlingMs(system), 28_000, 'counted from the first renewal')
  for (let passed = 0; passed < 22_000; passed += 2000) {
    on.pass(2000)
    await a.renew()
  }
  on.pass(5999)
  assert.equal(a.ownership.settlingMs(system), 1)
  assert.equal(await decides(), false)
  on.pass(1)
  assert.equal(a.ownership.settlingMs(system), 0)
  assert.equal(await decides(), true)
})
