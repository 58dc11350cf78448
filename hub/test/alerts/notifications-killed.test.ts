import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import type { DatabaseOptions } from '../../src/platform/db/database.ts'
import { openDatabase } from '../../src/platform/db/open-database.ts'
import { inProcessEventBus } from '../../src/platform/events/event-bus.ts'
import { compiledSources } from '../compiled-sources.ts'
import { databases, silentLog, type TestDatabaseKind } from '../databases.ts'
import { killRounds, killTimeoutMs } from '../kill-rounds.ts'
import { httpPeer } from '../http-peer.ts'
import { notifierOn } from '../notified-owners.ts'

const ROUNDS = killRounds(2)
const OWNERS = 40
/** Longer than the claim of a killed process on a delivery, and than the period of the rate limit. */
const BETWEEN_MS = 180_000
const SENT_AT_ONCE = 16

for (const kind of databases) {
  test(
    `${kind.name}: a killed notifier delivers every notice, and repeats only those it was sending (${ROUNDS} rounds)`,
    { timeout: killTimeoutMs(ROUNDS) },
    async () => {
      await using stack = await scene(kind)
      const said: number[] = []
      for (let round = 0; round < ROUNDS; round++) {
        said.push(
          ...(await tellUntilKilled(stack, {
            lateMs: round * BETWEEN_MS,
            first: round * 1000,
            enough: 3 + ((round * 29) % 70),
            isBefore: round % 2 === 0,
          })),
        )
      }
      await stack.tellRest(ROUNDS * BETWEEN_MS)
      const { notices, deliveries } = await stack.stored()
      assert.ok(notices.length >= said.length * 2)
      assert.equal(deliveries.length, notices.length)
      assert.ok(notices.every(({ state }) => state === 'handed'))
      assert.ok(deliveries.every(({ state }) => state === 'delivered'))

      const sent = stack.peer.received.map(({ headers, body }) => ({ key: String(headers['idempotency-key']), body }))
      const byKey = Map.groupBy(sent, ({ key }) => key)
      assert.deepEqual([...byKey.keys()].toSorted(), deliveries.map(({ id }) => id).toSorted())
      for (const [key, tries] of byKey) assert.equal(new Set(tries.map(({ body }) => body)).size, 1, key)
      assert.equal(new Set([...byKey.values()].map(([one]) => one?.body)).size, byKey.size)
      assert.ok(sent.length - byKey.size <= ROUNDS * SENT_AT_ONCE, `${sent.length - byKey.size} repeats after ${ROUNDS} kills`)
      for (const number of said) {
        const [began, over] = [`s${number} CPU above threshold`, `s${number} CPU below threshold`].map((title) =>
          sent.findIndex(({ body }) => body === title),
        )
        assert.ok(began !== undefined && over !== undefined && began !== -1 && began < over, `s${number}`)
      }
    },
  )
}

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
  const database = await opened()
  const { store, notifier } = await notifierOn(database, { now: Date.now }, bus)
  for (let number = 0; number < OWNERS; number++)
    await database.write(async (unit) => {
      const email = `p${number}@example.com`
      const { id } = await store.insert(unit, 'users', { email, username: `p${number}`, role: 'admin', verified: true, password: 'none' })
      const webhooks = [`generic://127.0.0.1:${peer.port}/?disabletls=yes&template={{title}}`]
      await store.insert(unit, 'user_settings', { user: id, settings: {} })
      const [row] = await store.loadWhere('user_settings', { user: id }, unit)
      await store.update(unit, 'user_settings', row?.id ?? '', { settings: { webhooks } })
    })
  await notifier.close()
  await database.close()
  return {
    at,
    peer,
    onRequest: (listener: (before: number) => void) => void (onRequest = listener),
    /** Delivers the notifications that killed processes left behind. */
    async tellRest(lateMs: number) {
      onRequest = () => {}
      const last = await opened()
      const rest = await notifierOn(last, { now: () => Date.now() + lateMs }, bus)
      await rest.notifier.settled()
      await rest.notifier.close()
      await last.close()
    },
    async stored() {
      const last = await opened()
      const notices = await last.kysely.selectFrom('notices').selectAll().execute()
      const deliveries = await last.kysely.selectFrom('deliveries').selectAll().execute()
      await last.close()
      return { notices, deliveries }
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

type Round = { readonly lateMs: number; readonly first: number; readonly enough: number; readonly isBefore: boolean }

/** Starts a notifying process and kills it after a number of requests: before the last response or right after. Returns its stored notices. */
async function tellUntilKilled(
  {
    at,
    peer,
    onRequest,
  }: {
    readonly at: DatabaseOptions['at']
    readonly peer: { readonly received: readonly unknown[] }
    readonly onRequest: (listener: (before: number) => void) => void
  },
  { lateMs, first, enough, isBefore }: Round,
): Promise<readonly number[]> {
  const teller = spawn(
    process.execPath,
    [join(import.meta.dirname, '..', 'notifying-process.ts'), JSON.stringify(at), String(lateMs), String(first)],
    {
      env: { NODE_NO_WARNINGS: '1', ...compiledSources },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  const ended = once(teller, 'exit')
  const wanted = peer.received.length + enough
  const kill = () => void teller.kill('SIGKILL')
  onRequest((before) => {
    if (before < wanted) return
    if (isBefore) kill()
    else setImmediate(kill)
  })
  const said: number[] = []
  for await (const line of createInterface({ input: teller.stdout })) said.push(Number(line))
  const [, signal] = await ended
  assert.equal(signal, 'SIGKILL')
  return said
}
