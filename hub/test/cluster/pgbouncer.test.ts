import assert from 'node:assert/strict'
import { test } from 'node:test'
import { encodeDocument } from '@vedette/protocol/wire/document-encode'
import { encodeEnvelope, type Reply } from '@vedette/protocol/wire/envelope'
import type { Message } from '@vedette/protocol/wire/request'
import { sql, type RawBuilder } from 'kysely'
import { Client } from 'pg'
import { databaseFailure } from '../../src/platform/db/database-failures.ts'
import { DatabaseUnusableError } from '../../src/platform/db/database.ts'
import { openDatabase } from '../../src/platform/db/open-database.ts'
import { inProcessEventBus } from '../../src/platform/events/event-bus.ts'
import { databases, silentLog } from '../databases.ts'
import { framingAgent } from '../framing-agent.ts'
import { startNatsServer, withNats } from '../nats-server.ts'
import { startPgbouncer, withPgbouncer } from '../pgbouncer.ts'
import { bytesOf, machineSample } from '../scripted-agent.ts'
import { twoHubs } from '../two-hubs.ts'

const postgres = databases.find(({ name }) => name === 'postgres')
assert.ok(postgres)
const { place } = postgres

/** A new PostgreSQL database and its address through PgBouncer. */
async function pooled(stack: AsyncDisposableStack) {
  const { at } = stack.use(await place())
  assert.ok('url' in at)
  return { url: at.url, poolerUrl: stack.use(await startPgbouncer(at.url)).url }
}

const log = silentLog

test('pgbouncer: timeouts apply in each transaction and do not stay in the session', { timeout: 300_000, ...withPgbouncer }, async () => {
  await using stack = new AsyncDisposableStack()
  const address = await pooled(stack)
  const at = { ...address, limits: { statementMs: 300, lockMs: 100 } }
  // The tables are created through the pooler, too.
  const patient = stack.adopt(await openDatabase({ at: address, bus: inProcessEventBus(), log }), ({ close }) => close())
  const database = stack.adopt(await openDatabase({ at, bus: inProcessEventBus(), log }), ({ close }) => close())

  const fails = (query: RawBuilder<unknown>, as: RegExp) =>
    assert.rejects(
      query.execute(database.kysely),
      (error) => error instanceof Error && as.test(error.message) && databaseFailure(error) === 'too slow',
    )
  await fails(sql`select pg_sleep(60)`, /statement timeout/)
  await assert.rejects(
    database.write((unit) => sql`select pg_sleep(60)`.execute(unit.sql)),
    /statement timeout/,
  )
  await database.write(async (unit) => {
    await sql`lock table hub_state in access exclusive mode`.execute(unit.sql)
    await fails(sql`select * from hub_state`, /lock timeout/)
  })
  await assert.rejects(sql`delete from hub_state`.execute(database.queries), /read-only/)

  const names = Array.from({ length: 40 }, (_, index) => `name ${index}`)
  const insert = (name: string) =>
    patient.write(async (unit) => {
      await unit.alone('names')
      await unit.sql.insertInto('hub_state').values({ name, value: '1' }).execute()
    })
  await Promise.all(names.map(insert))
  const stored = await database.queries.selectFrom('hub_state').select('name').where('value', '=', '1').execute()
  assert.deepEqual(new Set(stored.map(({ name }) => name).filter((name) => name.startsWith('name'))), new Set(names))

  const client = new Client(address.poolerUrl)
  await client.connect()
  stack.defer(() => client.end())
  const settings = `select current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock,
    current_setting('default_transaction_read_only') as "readOnly"`
  for (const _ of names) assert.deepEqual((await client.query(settings)).rows, [{ statement: '0', lock: '0', readOnly: 'off' }])
})

test(
  'pgbouncer: a pooler address in --database is refused with the name of the right option',
  { timeout: 300_000, ...withPgbouncer },
  async () => {
    await using stack = new AsyncDisposableStack()
    const { poolerUrl } = await pooled(stack)
    const opening = openDatabase({ at: { url: poolerUrl }, bus: inProcessEventBus(), log })
    await assert.rejects(opening, (error) => error instanceof DatabaseUnusableError && error.message.includes('--database-pooler'))
  },
)

/** An agent that reports a constant processor usage. */
function connectAgent(address: string, busyPercent: number) {
  const replyTo = ({ request }: Message): Reply => {
    if (request.action === 'fingerprint') return { kind: 'identity', identity: { fingerprint: 'machine' } }
    return { kind: 'document', document: encodeDocument({ ...machineSample, cpu: { busyPercent } }) }
  }
  const url = `${address.replace('http', 'ws')}/api/beszel/agent-connect`
  return framingAgent({ url, token: 'token-of-machine', answer: (message) => [bytesOf(encodeEnvelope(replyTo(message), message.id))] })
}

const RECORDS = (collection: string): string => `/api/collections/${collection}/records`

test(
  'pgbouncer: two hubs store samples, read history and fire alerts through it',
  { timeout: 300_000, ...withPgbouncer, ...(withNats.skip === false ? {} : withNats) },
  async () => {
    await using stack = new AsyncDisposableStack()
    const nats = stack.use(await startNatsServer())
    const { a, b, adminId } = stack.use(await twoHubs(nats.url, { isPooled: true }))
    const body = { name: 'machine', host: '127.0.0.1', port: '1', users: [adminId] }
    const { id } = await a.send<{ id: string }>('POST', RECORDS('systems'), body)
    await a.send('POST', RECORDS('fingerprints'), { system: id, token: 'token-of-machine' })
    await b.send('POST', RECORDS('alerts'), { user: adminId, system: id, name: 'CPU', value: 50, min: 1 })
    const stream = stack.use(await b.stream([`systems/${id}`, 'system_stats/*', 'alerts/*']))
    const seen = [/event:system_stats/, /"triggered":true/].map((pattern) => stream.next((event) => pattern.test(event)))
    stack.defer(connectAgent(a.hub.address, 95).close)
    await Promise.all(seen)
    const { items } = await b.send<{ items: readonly { stats: { cpu: number } }[] }>(
      'GET',
      `${RECORDS('system_stats')}?filter=system="${id}"`,
    )
    assert.ok(items.length > 0 && items.every(({ stats }) => stats.cpu === 95))
    assert.deepEqual([a.hub.complaints(), b.hub.complaints()], ['', ''])
  },
)
