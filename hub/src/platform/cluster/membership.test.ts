import assert from 'node:assert/strict'
import { test } from 'node:test'
import { databases, silentLog } from '../../../test/databases.ts'
import type { Database } from '../db/database.ts'
import { DRAINED_BY_ADMIN, HubRefusedError, joinHubs, type Membership, type MembershipParts } from './membership.ts'
import { systemClock } from '../clock.ts'

const postgres = databases.find(({ name }) => name === 'postgres')
assert.ok(postgres)

/** Short times. Renewals happen when a test asks for them. */
const GONE_AFTER_MS = 400
const NEVER_MS = 3_600_000

const join = (database: Database, name: string, more: Partial<MembershipParts> = {}): Promise<Membership> =>
  joinHubs({
    database,
    log: silentLog,
    clock: systemClock,
    name,
    shares: true,
    renewEveryMs: NEVER_MS,
    goneAfterMs: GONE_AFTER_MS,
    ...more,
  })

const names = (hub: Membership): readonly string[] => hub.living().map(({ name }) => name)

/** Renews until the hub sees these hubs and no others. */
async function sees(hub: Membership, expected: readonly string[]): Promise<void> {
  while (names(hub).join() !== expected.join()) await hub.renew()
}

test('joinHubs lists the living hubs; a hub that ends is removed at once, a silent hub after a timeout', async () => {
  await using opened = await postgres.open()
  await using a = await join(opened.database, 'a')
  {
    await using b = await join(opened.database, 'b')
    assert.deepEqual(names(b), ['a', 'b'])
    await sees(a, ['a', 'b'])
  }
  await a.renew()
  assert.deepEqual(names(a), ['a'])
  await using silent = await join(opened.database, 'c')
  await sees(a, ['a', 'c'])
  await sees(a, ['a'])
  await silent.renew()
  assert.deepEqual(names(silent), ['a', 'c'], 'a hub that was silent is back after a renewal')
})

test('joinHubs refuses the name of a living hub, and takes over the name of a dead hub', async () => {
  await using opened = await postgres.open()
  await using a = await join(opened.database, 'a', { renewEveryMs: 20 })
  await assert.rejects(
    join(opened.database, 'a'),
    (error) => error instanceof HubRefusedError && /--hub-name of its own/.test(error.message),
  )
  await using dead = await join(opened.database, 'b')
  await using heir = await join(opened.database, 'b')
  await sees(a, ['a', 'b'])
  await dead.renew()
  assert.ok((await dead.replaced) instanceof HubRefusedError, 'a frozen hub learns that it was replaced')
  assert.equal(heir.living().find(({ name }) => name === 'b')?.id, heir.id)
})

for (const [aheadMs, reason] of [
  [3_600_000, /the clock of this hub is 3600 s ahead of the clock of the database/],
  [-120_000, /the clock of this hub is 1\d\d s behind the clock of the database/],
] as const)
  test(`joinHubs refuses a hub whose clock is ${aheadMs / 1000} s ahead, unless it is alone`, async () => {
    await using opened = await postgres.open()
    const clock = { now: () => Date.now() + aheadMs }
    await assert.rejects(join(opened.database, 'a', { clock }), (error) => error instanceof HubRefusedError && reason.test(error.message))
    await using alone = await join(opened.database, 'a', { clock, shares: false })
    assert.deepEqual(names(alone), ['a'])
  })

test('joinHubs accepts a hub that was frozen while it queried the time of the database', async () => {
  await using opened = await postgres.open()
  const times = [Date.now() - 100_000, Date.now() + 100_000]
  await using a = await join(opened.database, 'a', { clock: { now: () => times.shift() ?? 0 } })
  assert.deepEqual(names(a), ['a'])
})

test('a hub whose clock jumps logs it and hands its systems over until the clock is right', async () => {
  await using opened = await postgres.open()
  const lines: string[] = []
  const log = { ...silentLog, error: (line: string) => void lines.push(line), warn: (line: string) => void lines.push(line) }
  let aheadMs = 0
  await using a = await join(opened.database, 'a', { clock: { now: () => Date.now() + aheadMs }, log, goneAfterMs: NEVER_MS })
  await using b = await join(opened.database, 'b', { goneAfterMs: NEVER_MS })
  const draining = async (): Promise<readonly string[]> => {
    // A renewal writes the clock difference that the previous renewal measured.
    for (const hub of [a, a, b]) await hub.renew()
    return b.living().flatMap(({ name, isDraining }) => (isDraining ? [name] : []))
  }
  assert.deepEqual(await draining(), [])
  aheadMs = 3_600_000
  assert.deepEqual(await draining(), ['a'])
  assert.deepEqual(await draining(), ['a'])
  aheadMs = -50_000
  assert.deepEqual(await draining(), [])
  await opened.database.write(({ sql }) => sql.updateTable('hubs').set({ draining: DRAINED_BY_ADMIN }).execute())
  assert.deepEqual(await draining(), ['a', 'b'], 'what an admin drains stays drained')
  assert.equal(lines.length, 2)
  assert.match(lines[0] ?? '', /^the clock of this hub is 3600 s ahead of the clock of the database; its systems go to other hubs/)
})

test('a hub that uses the database alone accepts any clock', async () => {
  await using opened = await postgres.open()
  let aheadMs = 0
  await using alone = await join(opened.database, 'a', { clock: { now: () => Date.now() + aheadMs }, shares: false })
  aheadMs = 3_600_000
  for (let renewal = 0; renewal < 3; renewal++) await alone.renew()
  assert.deepEqual(
    alone.living().map(({ isDraining }) => isDraining),
    [false],
  )
})

test('joinHubs without NATS lets no second hub join', async () => {
  await using opened = await postgres.open()
  await using alone = await join(opened.database, 'a', { shares: false, renewEveryMs: 20 })
  await assert.rejects(join(opened.database, 'b', { shares: false }), /stop it, or give both hubs --nats/)
  await assert.rejects(join(opened.database, 'b'), /without --nats/)
  assert.deepEqual(names(alone), ['a'])
})

test('joinHubs refuses a hub without NATS beside hubs that share the database', async () => {
  await using opened = await postgres.open()
  await using a = await join(opened.database, 'a', { renewEveryMs: 20 })
  await assert.rejects(join(opened.database, 'b', { shares: false }), /give this hub its --nats too/)
  assert.deepEqual(names(a), ['a'])
})

test('joinHubs replaces the row of a hub at once that is known to have ended', async () => {
  await using opened = await postgres.open()
  await using killed = await join(opened.database, 'a', { goneAfterMs: NEVER_MS })
  await using next = await join(opened.database, 'a', { endedHub: killed.id, goneAfterMs: NEVER_MS })
  assert.deepEqual(names(next), ['a'])
})

test('assureLiving renews the row only if it may have expired by the hub’s own clock', async () => {
  await using opened = await postgres.open()
  let nowMs = 0
  await using hub = await join(opened.database, 'a', { nowMs: () => nowMs, goneAfterMs: NEVER_MS })
  const seen = async () => (await opened.database.kysely.selectFrom('hubs').select('seen_at').executeTakeFirstOrThrow()).seen_at
  await opened.database.kysely.updateTable('hubs').set({ seen_at: 0 }).execute()
  await hub.assureLiving()
  assert.equal(await seen(), 0)
  nowMs = NEVER_MS
  await hub.assureLiving()
  assert.notEqual(await seen(), 0)
})

test('a hub whose row is in the future counts as gone, because the database clock was set back', async () => {
  await using opened = await postgres.open()
  await using a = await join(opened.database, 'a', { goneAfterMs: 60_000 })
  await using b = await join(opened.database, 'b', { goneAfterMs: 60_000 })
  const future = Date.now() + NEVER_MS
  await opened.database.kysely.updateTable('hubs').set({ seen_at: future }).where('id', '=', a.id).execute()
  await b.renew()
  assert.deepEqual(names(b), ['b'])
  await a.renew()
  await b.renew()
  assert.deepEqual(names(b), ['a', 'b'])
})
