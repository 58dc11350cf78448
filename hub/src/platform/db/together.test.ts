import { sql } from 'kysely'
import assert from 'node:assert/strict'
import { createServer, connect } from 'node:net'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { once } from 'node:events'
import { test } from 'node:test'
import { databases, silentLog } from '../../../test/databases.ts'
import { inProcessEventBus } from '../events/event-bus.ts'
import type { UnitOfWork } from './database.ts'
import { openPostgres } from './postgres/postgres.ts'
import { together } from './together.ts'

const insert = (unit: UnitOfWork, name: string) => unit.sql.insertInto('hub_state').values({ name, value: 'x' }).execute()
const find = (unit: UnitOfWork, name: string) => unit.sql.selectFrom('hub_state').select('value').where('name', '=', name).execute()

for (const kind of databases) {
  test(`${kind.name}: together returns the results of all steps in order`, async () => {
    await using opened = await kind.open()
    const [, found, none] = await opened.database.write((unit) => together(insert(unit, 'a'), find(unit, 'a'), undefined))
    assert.deepEqual([found, none], [[{ value: 'x' }], undefined])
  })

  test(`${kind.name}: together rejects with the first failure, and runs no statement after the rollback`, async () => {
    await using opened = await kind.open()
    const { database } = opened
    const slow = async (unit: UnitOfWork): Promise<void> => {
      await insert(unit, 'before')
      await insert(unit, 'after')
    }
    const writing = database.write((unit) => together(slow(unit), sql`select nothing`.execute(unit.sql), insert(unit, 'also')))
    await assert.rejects(writing, /nothing/)
    // The connection was reused, and no row of the failed transaction was stored.
    await database.write((unit) => insert(unit, 'later'))
    const rows = await database.kysely.selectFrom('hub_state').select('name').where('value', '=', 'x').execute()
    assert.deepEqual(rows, [{ name: 'later' }])
  })
}

test('postgres: statements that run together are sent as one message, which also opens the transaction', async () => {
  const postgres = databases.find(({ name }) => name === 'postgres')
  assert.ok(postgres)
  await using place = await postgres.open()
  assert.ok('url' in place.at)
  await using counted = await countMessages(place.at.url)
  const database = openPostgres({ url: counted.url }, inProcessEventBus(), silentLog)
  try {
    await database.kysely.selectFrom('hub_state').select('value').execute() // connects
    const before = counted.messages()
    await database.write(async (unit) => {
      await together(find(unit, 'a'), find(unit, 'b'), find(unit, 'c'))
      await together(insert(unit, 'a'), insert(unit, 'b'))
    }, 'process')
    assert.equal(counted.messages() - before, 3, 'the first statements, the others, the commit')
    await database.write(async () => {})
    await assert.rejects(database.write(() => Promise.reject(new Error('no'))))
    assert.equal(counted.messages() - before, 3, 'a transaction without a statement')
  } finally {
    await database.close()
  }
})

/** A proxy between the driver and PostgreSQL that counts the messages of the driver. */
async function countMessages(url: string) {
  const folder = mkdtempSync(join(tmpdir(), 'vedette-messages-'))
  const address = new URL(url.replace('@/', '@localhost/'))
  const target = `${address.searchParams.get('host') ?? ''}/.s.PGSQL.5432`
  let messages = 0
  const server = createServer((client) => {
    const upstream = connect(target)
    client.on('data', () => (messages += 1))
    client.pipe(upstream).pipe(client)
    for (const socket of [client, upstream]) socket.on('error', () => {})
  })
  server.listen(join(folder, '.s.PGSQL.5432'))
  await once(server, 'listening')
  return {
    url: url.replace(/host=[^&]*/, `host=${encodeURIComponent(folder)}`),
    messages: () => messages,
    async [Symbol.asyncDispose]() {
      server.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
