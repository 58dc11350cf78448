import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import { putNotice } from '../../src/alerts/notifications/notice-outbox.ts'
import { openDatabase } from '../../src/platform/db/open-database.ts'
import { inProcessEventBus } from '../../src/platform/events/event-bus.ts'
import { compiledSources } from '../compiled-sources.ts'
import { databases, silentLog, type TestDatabaseKind } from '../databases.ts'
import { httpPeer } from '../http-peer.ts'
import { killRounds, killTimeoutMs } from '../kill-rounds.ts'
import { notifierOn } from '../notified-owners.ts'

const ROUNDS = killRounds(2)
const OWNERS = 20
const START_MS = Date.UTC(2026, 0, 10, 12)
const MINUTE_MS = 60_000
const SENT_AT_ONCE = 16

/** People with an alert that fires each, whose first message was sent, and reminders every 5 minutes. */
async function scene(kind: TestDatabaseKind) {
  const stack = new AsyncDisposableStack()
  const { at } = stack.use(await kind.place())
  let onRequest: (before: number) => void = () => {}
  const peer = stack.use(
    await httpPeer((_one, before) => {
      onRequest(before)
      return { status: 200 }
    }),
  )
  const bus = inProcessEventBus()
  const opened = () => openDatabase({ at, bus, log: silentLog })

  /** Sends everything that is due at a time, in this process. */
  async function settle(nowMs: number): Promise<void> {
    const database = await opened()
    const { notifier } = await notifierOn(database, { now: () => nowMs }, bus)
    await notifier.settled()
    await notifier.close()
    await database.close()
  }

  const database = await opened()
  const { store, notifier } = await notifierOn(database, { now: () => START_MS }, bus)
  await notifier.close()
  for (let number = 0; number < OWNERS; number++)
    await database.write(async (unit) => {
      const email = `p${number}@example.com`
      const { id } = await store.insert(unit, 'users', { email, username: `p${number}`, role: 'admin', verified: true, password: 'none' })
      const webhooks = [`generic://127.0.0.1:${peer.port}/?disabletls=yes&template={{title}}`]
      await store.insert(unit, 'user_settings', { user: id, settings: {} })
      const [row] = await store.loadWhere('user_settings', { user: id }, unit)
      await store.update(unit, 'user_settings', row?.id ?? '', { settings: { webhooks, remindMinutes: 5 } })
      const [incident, times] = [`i${number}`, { began: START_MS, ended: null, ending: '' }]
      const rule = { alert: 'a', owner: id, system: 'web', kind: 'CPU', target: '', threshold: 80, minutes: 1, value: 90 }
      await unit.sql
        .insertInto('incidents')
        .values({ id: incident, ...rule, ...times })
        .execute()
      const body = { systemName: `s${number}`, kind: 'CPU', value: 90, threshold: 80, minutes: 1, beganMs: START_MS }
      await putNotice(unit, { incident, transition: 'fired', owner: id, system: 'web', atMs: START_MS, body })
    })
  await database.close()
  await settle(START_MS)

  /** Starts a process that sends reminders from a time on, and kills it after some requests. Resolves to the last time of its clock. */
  async function remindUntilKilled(startMs: number, requests: number): Promise<number> {
    const program = join(import.meta.dirname, '..', 'reminding-process.ts')
    const reminding = spawn(process.execPath, [program, JSON.stringify(at), String(startMs)], {
      env: { NODE_NO_WARNINGS: '1', ...compiledSources },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const ended = once(reminding, 'exit')
    const wanted = peer.received.length + requests
    onRequest = (before) => before >= wanted && void reminding.kill('SIGKILL')
    let lastMs = startMs
    for await (const line of createInterface({ input: reminding.stdout })) lastMs = Number(line)
    const [, signal] = await ended
    assert.equal(signal, 'SIGKILL')
    onRequest = () => {}
    return lastMs
  }

  return {
    peer,
    settle,
    remindUntilKilled,
    async stored() {
      const last = await opened()
      const { kysely } = last
      const rows = {
        notices: await kysely.selectFrom('notices').selectAll().execute(),
        deliveries: await kysely.selectFrom('deliveries').selectAll().execute(),
        incidents: await kysely.selectFrom('incidents').selectAll().execute(),
      }
      await last.close()
      return rows
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

for (const kind of databases) {
  test(
    `${kind.name}: a killed notifier neither loses nor doubles a reminder (${ROUNDS} rounds)`,
    { timeout: killTimeoutMs(ROUNDS) },
    async () => {
      await using killed = await scene(kind)
      let lastMs = START_MS
      for (let round = 0; round < ROUNDS; round++) lastMs = await killed.remindUntilKilled(lastMs, 3 + ((round * 29) % 70))
      // Later than the claims of the killed processes on deliveries.
      await killed.settle(lastMs + 4 * MINUTE_MS)
      const { notices, deliveries, incidents } = await killed.stored()
      for (const { id, reminders } of incidents) {
        const expected = ['fired', ...Array.from({ length: reminders }, (_, at) => `reminder-${at + 1}`)]
        const found = notices.filter(({ incident }) => incident === id).map(({ transition }) => transition)
        assert.deepEqual(found.toSorted(), expected.toSorted(), id)
        assert.ok(reminders > 0)
      }
      assert.ok(notices.every(({ state }) => state === 'handed'))
      assert.ok(deliveries.every(({ state }) => state === 'delivered'))
      assert.equal(deliveries.length, notices.length)
      const keys = killed.peer.received.map(({ headers }) => String(headers['idempotency-key']))
      assert.deepEqual([...new Set(keys)].toSorted(), deliveries.map(({ id }) => id).toSorted())
      assert.ok(keys.length - deliveries.length <= ROUNDS * SENT_AT_ONCE, `${keys.length - deliveries.length} repeats`)
    },
  )
}
