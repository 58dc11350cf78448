import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { test } from 'node:test'
import { inProcessEventBus } from '../../src/platform/events/event-bus.ts'
import { sql } from 'kysely'
import { databaseFailure } from '../../src/platform/db/database-failures.ts'
import { DatabaseUnusableError, type UnitOfWork } from '../../src/platform/db/database.ts'
import { migrate } from '../../src/platform/db/migrate.ts'
import { openPostgres } from '../../src/platform/db/postgres/postgres.ts'
import { openDatabase } from '../../src/platform/db/open-database.ts'
import { databases, silentLog, type TestDatabaseKind } from '../databases.ts'
import { startPostgresServer } from '../postgres-server.ts'
import { runningHub } from '../running-hub.ts'

test('postgres: hubs that start on a new database at the same time create its tables once', async () => {
  const postgres = databases.find(({ name }) => name === 'postgres')
  assert.ok(postgres)
  await using place = await postgres.place()
  const opened = await Promise.all(
    Array.from({ length: 4 }, () => openDatabase({ at: place.at, bus: inProcessEventBus(), log: silentLog })),
  )
  try {
    for (const { kysely } of opened) {
      const rows = await kysely.selectFrom('hub_state').select('name').execute()
      assert.deepEqual(rows, [{ name: 'schemaVersion' }, { name: 'schemaSupport' }])
    }
  } finally {
    await Promise.all(opened.map(({ close }) => close()))
  }
})

test('a hub whose database server dies responds with 503, and works again when the server is back', { timeout: 300_000 }, async () => {
  const server = await startPostgresServer()
  const place = async () => ({ at: { url: server.url }, [Symbol.asyncDispose]: () => server.stop() })
  const alone: TestDatabaseKind = {
    name: 'postgres',
    place,
    ready: place,
    open: () => Promise.reject(new Error('not used here')),
  }
  await using hub = await runningHub(alone)
  const { token, id } = hub.admin
  const list = 'GET /api/collections/systems/records'
  assert.equal((await hub.call(token, list)).status, 200)

  server.crash()
  const away = await hub.until(token, list, ({ status }) => status !== 200)
  assert.equal(away.status, 503)
  assert.equal(away.headers.get('retry-after'), '5')
  assert.equal(away.body['message'], 'The database of this hub does not answer. Try again in a moment.')
  const health = await hub.call('', 'GET /api/health')
  assert.deepEqual([health.status, health.body['message']], [503, away.body['message']])

  server.restart()
  await hub.until(token, list, ({ status }) => status === 200)
  assert.equal((await hub.call('', 'GET /api/health')).status, 200)
  const system = { name: 'after', host: '127.0.0.1', port: '1', users: [id] }
  assert.equal((await hub.call(token, 'POST /api/collections/systems/records', system)).status, 200)
  assert.equal((await hub.signIn('admin@example.com', 'a good password')).id, id)
})

test('postgres: a query without a response fails as "away", and its transaction is rolled back', { timeout: 300_000 }, async () => {
  const postgres = databases.find(({ name }) => name === 'postgres')
  assert.ok(postgres)
  await using place = await postgres.open()
  assert.ok('url' in place.at)
  // A statement may take 30 s on the server. The driver waits half a second in total.
  const database = openPostgres(place.at, inProcessEventBus(), silentLog, { unansweredMs: -29_500 })
  const insert = (unit: UnitOfWork) => unit.sql.insertInto('hub_state').values({ name: 'half', value: '1' }).execute()
  let pid = 0
  const lost = database.write(async (unit) => {
    await insert(unit)
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(unit.sql)
    pid = rows[0]?.pid ?? 0
    process.kill(pid, 'SIGSTOP')
    await insert(unit)
  })
  await assert.rejects(lost, (error) => databaseFailure(error) === 'away')
  process.kill(pid, 'SIGCONT')
  // Waits for the row until the frozen transaction ends.
  await database.write(insert)
  await database.close()
})

test('postgres: a hub that is frozen during a transaction blocks the other hubs for a few seconds only', async () => {
  const postgres = databases.find(({ name }) => name === 'postgres')
  assert.ok(postgres)
  await using place = await postgres.open()
  assert.ok('url' in place.at)
  const ofSeveral = { journal: async () => {} }
  const isOpenFor = async (options: Parameters<typeof openPostgres>[3]): Promise<unknown> => {
    assert.ok('url' in place.at)
    const database = openPostgres({ url: place.at.url }, inProcessEventBus(), silentLog, options)
    const { rows } = await sql<{ value: string }>`select current_setting('idle_in_transaction_session_timeout') as value`.execute(
      database.kysely,
    )
    await database.close()
    return rows[0]?.value
  }
  assert.deepEqual([await isOpenFor({}), await isOpenFor(ofSeveral)], ['1min', '6s'])
  const frozen = openPostgres({ url: place.at.url }, inProcessEventBus(), silentLog, { ...ofSeveral, idleInTransactionMs: 100 })
  const { promise: goesOn, resolve: goOn } = Promise.withResolvers<void>()
  const { promise: holds, resolve: hold } = Promise.withResolvers<void>()
  const late = frozen.write(async (unit) => {
    await unit.alone('this work')
    hold()
    await goesOn
    await unit.sql.insertInto('hub_state').values({ name: 'late', value: '1' }).execute()
  })
  await holds
  await place.database.write((unit) => unit.alone('this work'))
  goOn()
  await assert.rejects(late, (error) => databaseFailure(error) === 'away')
  await frozen.close()
})

test('postgres: a server that accepts connections without responding counts as away, and a start on it is refused', async () => {
  const accepted = new Set<Socket>()
  const server = createServer((socket) => void accepted.add(socket)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // it listens on a port
  const database = openPostgres(
    { url: `postgres://u@127.0.0.1:${port}/vedette`, limits: { connectMs: 50 } },
    inProcessEventBus(),
    silentLog,
  )
  const ask = sql`select 1`
  const asked = [database.kysely, database.queries].map((connection) => ask.execute(connection))
  asked.push(database.write((unit) => ask.execute(unit.sql)))
  await Promise.all(asked.map((one) => assert.rejects(one, (error) => databaseFailure(error) === 'away')))
  await assert.rejects(migrate(database, silentLog), DatabaseUnusableError)
  // The hub closes its connections: none is left half open.
  await Promise.all([...accepted].map(async (socket) => socket.closed || once(socket.resume(), 'close')))
  await database.close()
  server.close()
})
