import assert from 'node:assert/strict'
import { test } from 'node:test'
import { putNotice } from '../../src/alerts/notifications/notice-outbox.ts'
import type { UnitOfWork } from '../../src/platform/db/database.ts'
import { openDatabase } from '../../src/platform/db/open-database.ts'
import { inProcessEventBus } from '../../src/platform/events/event-bus.ts'
import { databases, silentLog } from '../databases.ts'
import { httpPeer } from '../http-peer.ts'
import { notifierOn } from '../notified-owners.ts'
import { transactionWaits } from '../waiting-transaction.ts'

const START_MS = Date.UTC(2026, 0, 10, 12)
const MINUTE_MS = 60_000
const INCIDENTS = 40

const postgres = databases.find(({ name }) => name === 'postgres')

/** Two hubs on one PostgreSQL, each with its own clock, and a webhook. */
async function twoNotifiers() {
  assert.ok(postgres)
  const stack = new AsyncDisposableStack()
  const { at } = stack.use(await postgres.place())
  const peer = stack.use(await httpPeer())
  async function startHub() {
    const bus = inProcessEventBus()
    const database = await openDatabase({ at, bus, log: silentLog })
    stack.defer(() => database.close())
    let nowMs = START_MS
    const { store, notifier } = await notifierOn(database, { now: () => nowMs }, bus)
    stack.defer(() => notifier.close())
    async function settled(): Promise<void> {
      notifier.wake()
      await notifier.settled()
    }
    return { database, store, settled, setClock: (ms: number) => void (nowMs = ms) }
  }
  const [one, other] = [await startHub(), await startHub()]
  const { database, store } = one
  const account = (unit: UnitOfWork, name: string) =>
    store.insert(unit, 'users', { email: `${name}@example.com`, username: name, role: 'admin', verified: true, password: 'none' })

  /** Writes an active alert of an owner, and the message about it. */
  async function fire(unit: UnitOfWork, id: string, owner: string): Promise<void> {
    const times = { began: START_MS, ended: null, ending: '' }
    const rule = { alert: 'a', owner, system: 'web', kind: 'CPU', target: '', threshold: 80, minutes: 1, value: 90 }
    await unit.sql
      .insertInto('incidents')
      .values({ id, ...rule, ...times })
      .execute()
    const body = { systemName: 'web', kind: 'CPU', value: 90, threshold: 80, minutes: 1, beganMs: START_MS }
    await putNotice(unit, { incident: id, transition: 'fired', owner, system: 'web', atMs: START_MS, body })
  }

  return {
    at,
    one,
    other,
    database,
    store,
    peer,
    account,
    fire,
    webhooks: [`generic://127.0.0.1:${peer.port}/?disabletls=yes&template={{title}}`],
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

test('postgres: two hubs that escalate at the same time inform each person once, also about the end', async () => {
  await using hubs = await twoNotifiers()
  const { one, other, database, store, peer, account, fire, webhooks } = hubs
  let nowMs = START_MS
  async function settled(): Promise<void> {
    for (const { setClock } of [one, other]) setClock(nowMs)
    await Promise.all([one.settled(), other.settled()])
  }

  await database.write(async (unit) => {
    const [bob, carol] = [await account(unit, 'bob'), await account(unit, 'carol')]
    for (const { id } of [bob, carol]) await store.insert(unit, 'user_settings', { user: id, settings: { webhooks } })
    for (let number = 0; number < INCIDENTS; number++) {
      const { id: owner } = await account(unit, `owner${number}`)
      const escalation = [
        { minutes: 5, person: bob.id },
        { minutes: 10, person: carol.id },
      ]
      await store.insert(unit, 'user_settings', { user: owner, settings: { escalation } })
      await fire(unit, `i${number}`, owner)
    }
  })
  await settled()
  for (const _step of [1, 2]) {
    nowMs += 5 * MINUTE_MS
    await settled()
  }
  await database.write(async (unit) => {
    const incidents = await unit.sql.selectFrom('incidents').selectAll().execute()
    assert.deepEqual(new Set(incidents.map(({ escalated, escalate }) => [escalated, escalate].join())), new Set(['10,']))
    await unit.sql.updateTable('incidents').set({ ended: nowMs, ending: 'resolved', escalate: nowMs }).execute()
    for (const { id: incident, owner, system } of incidents) {
      const body = { systemName: 'web', kind: 'CPU', threshold: 80, minutes: 1, beganMs: START_MS }
      await putNotice(unit, { incident, transition: 'resolved', owner, system, atMs: nowMs, body })
    }
  })
  // At most 10 messages a minute are single ones, and one combines others.
  for (let minute = 0; minute < 10; minute++) {
    nowMs += MINUTE_MS
    await settled()
  }
  const notices = await database.kysely.selectFrom('notices').selectAll().execute()
  const sent = notices.filter(({ state }) => state === 'handed').map(({ transition }) => transition)
  const counts = new Map([...Map.groupBy(sent, (transition) => transition)].map(([transition, all]) => [transition, all.length]))
  assert.deepEqual(
    counts,
    new Map(['fired', 'escalated-5', 'escalated-10', 'resolved', 'resolved-5', 'resolved-10'].map((one) => [one, INCIDENTS])),
  )
  const deliveries = await database.kysely.selectFrom('deliveries').selectAll().execute()
  const keys = peer.received.map(({ headers }) => String(headers['idempotency-key']))
  assert.deepEqual(keys.toSorted(), deliveries.map(({ id }) => id).toSorted())
})

test('postgres: a step that a hub carries out while its owner changes the steps informs the person once', async () => {
  await using hubs = await twoNotifiers()
  const { one, other, database, store, peer, account, fire, webhooks } = hubs
  const [bob, owner] = await database.write(async (unit) => {
    const people = [await account(unit, 'bob'), await account(unit, 'owner')] as const
    await store.insert(unit, 'user_settings', { user: people[0].id, settings: { webhooks } })
    const escalation = [{ minutes: 5, person: people[0].id }]
    const { id } = await store.insert(unit, 'user_settings', { user: people[1].id, settings: { escalation } })
    await fire(unit, 'i', people[1].id)
    return [people[0].id, id]
  })
  await one.settled()

  // A transaction of the test holds the incident, so that the first hub has decided the step but cannot store it.
  const outside = await openDatabase({ at: hubs.at, bus: inProcessEventBus(), log: silentLog })
  await using stack = new AsyncDisposableStack()
  stack.defer(() => outside.close())
  const [held, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  stack.defer(() => released.resolve())
  const holding = outside.write(async ({ sql }) => {
    await sql.updateTable('incidents').set({ note: '' }).where('id', '=', 'i').execute()
    held.resolve()
    await released.promise
  })
  await held.promise
  one.setClock(START_MS + 5 * MINUTE_MS)
  const first = one.settled()
  await transactionWaits(outside)
  await outside.write((unit) => store.update(unit, 'user_settings', owner, { settings: { escalation: [{ minutes: 4, person: bob }] } }))
  other.setClock(START_MS + 5 * MINUTE_MS)
  const second = other.settled()
  await transactionWaits(outside, 2)
  released.resolve()
  await Promise.all([holding, first, second])
  await Promise.all([one.settled(), other.settled()])

  const notices = await database.kysely.selectFrom('notices').select('transition').where('owner', '=', bob).execute()
  assert.deepEqual(notices, [{ transition: 'escalated-5' }])
  assert.equal(peer.received.length, 1)
})
