import assert from 'node:assert/strict'
import { test } from 'node:test'
import { putNotice } from '../../src/alerts/notifications/notice-outbox.ts'
import { openDatabase } from '../../src/platform/db/open-database.ts'
import { inProcessEventBus } from '../../src/platform/events/event-bus.ts'
import { databases, silentLog } from '../databases.ts'
import { httpPeer } from '../http-peer.ts'
import { notifierOn } from '../notified-owners.ts'

const START_MS = Date.UTC(2026, 0, 10, 12)
const MINUTE_MS = 60_000
const INCIDENTS = 40

const postgres = databases.find(({ name }) => name === 'postgres')

test('postgres: two hubs that escalate at the same time inform each person once, also about the end', async () => {
  assert.ok(postgres)
  await using stack = new AsyncDisposableStack()
  const { at } = stack.use(await postgres.place())
  const peer = stack.use(await httpPeer())
  let nowMs = START_MS
  async function startHub() {
    const bus = inProcessEventBus()
    const database = await openDatabase({ at, bus, log: silentLog })
    stack.defer(() => database.close())
    const { store, notifier } = await notifierOn(database, { now: () => nowMs }, bus)
    stack.defer(() => notifier.close())
    return { database, store, notifier }
  }
  const hubs = [await startHub(), await startHub()]
  const [{ database, store }] = hubs as [(typeof hubs)[0]] // two hubs
  const webhooks = [`generic://127.0.0.1:${peer.port}/?disabletls=yes&template={{title}}`]
  const settled = () =>
    Promise.all(
      hubs.map(async ({ notifier }) => {
        notifier.wake()
        await notifier.settled()
      }),
    )

  await database.write(async (unit) => {
    const account = (name: string) =>
      store.insert(unit, 'users', { email: `${name}@example.com`, username: name, role: 'admin', verified: true, password: 'none' })
    const [bob, carol] = [await account('bob'), await account('carol')]
    for (const { id } of [bob, carol]) await store.insert(unit, 'user_settings', { user: id, settings: { webhooks } })
    for (let number = 0; number < INCIDENTS; number++) {
      const { id: owner } = await account(`owner${number}`)
      const escalation = [
        { minutes: 5, person: bob.id },
        { minutes: 10, person: carol.id },
      ]
      await store.insert(unit, 'user_settings', { user: owner, settings: { escalation } })
      const times = { began: START_MS, ended: null, ending: '' }
      const rule = { alert: 'a', owner, system: 'web', kind: 'CPU', target: '', threshold: 80, minutes: 1, value: 90 }
      await unit.sql
        .insertInto('incidents')
        .values({ id: `i${number}`, ...rule, ...times })
        .execute()
      const body = { systemName: 'web', kind: 'CPU', value: 90, threshold: 80, minutes: 1, beganMs: START_MS }
      await putNotice(unit, { incident: `i${number}`, transition: 'fired', owner, system: 'web', atMs: START_MS, body })
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
