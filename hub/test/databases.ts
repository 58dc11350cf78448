import { after } from 'node:test'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import type { Database, DatabaseOptions } from '../src/db/database.ts'
import { openDatabase } from '../src/db/open-database.ts'
import { inProcessEventBus, type EventBus, type RecordEvent } from '../src/events/event-bus.ts'
import type { Log } from '../src/log.ts'
import { machinesBinaries, startPostgresServer, type PostgresServer } from './postgres-server.ts'

/** A real database that only this test knows; disposing it removes it. */
export type TestDatabase = AsyncDisposable & {
  readonly database: Database
  readonly bus: EventBus
  /** What left on the bus so far. */
  readonly events: readonly RecordEvent[]
  /** For a second connection, or a hub process. */
  readonly at: DatabaseOptions['at']
}

export type TestDatabaseKind = {
  readonly name: Database['name']
  /** A place for a new database, with nothing in it. */
  readonly place: () => Promise<AsyncDisposable & { readonly at: DatabaseOptions['at'] }>
  readonly open: () => Promise<TestDatabase>
}

export const silentLog: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }

/** Every store test runs over all of these. */
export const databases: readonly TestDatabaseKind[] = [
  kind('sqlite', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'vedette-test-'))
    return { at: { directory }, [Symbol.asyncDispose]: async () => rmSync(directory, { recursive: true, force: true }) }
  }),
  postgresKind(serverUrl),
]

/** Databases of their own on a server. */
function postgresKind(server: () => Promise<string>): TestDatabaseKind {
  return kind('postgres', async () => {
    const url = new URL((await server()).replace('@/', '@socket/'))
    const name = `vedette_test_${randomBytes(8).toString('hex')}`
    await administer(await server(), `create database ${name}`)
    url.pathname = `/${name}`
    return {
      at: { url: url.href.replace('@socket/', '@/') },
      [Symbol.asyncDispose]: async () => administer(await server(), `drop database ${name} with (force)`),
    }
  })
}

function kind(name: Database['name'], place: TestDatabaseKind['place']): TestDatabaseKind {
  return {
    name,
    place,
    async open() {
      const where = await place()
      const bus = inProcessEventBus()
      const events: RecordEvent[] = []
      bus.subscribe((event) => events.push(event))
      const database = await openDatabase({ at: where.at, bus, log: silentLog })
      return {
        database,
        bus,
        events,
        at: where.at,
        async [Symbol.asyncDispose]() {
          await database.close()
          await where[Symbol.asyncDispose]()
        },
      }
    },
  }
}

let started: Promise<PostgresServer> | undefined

/** The server the run was given, or one for this process. */
async function serverUrl(): Promise<string> {
  const given = process.env['VEDETTE_TEST_DATABASE_URL']
  if (given !== undefined && given !== '') return given
  started ??= startPostgresServer()
  return (await started).url
}

let startedOfMachine: Promise<PostgresServer> | undefined

/** The same on a PostgreSQL of this machine, whose client programs fit it; undefined when there is none. */
export function machinesPostgres(): TestDatabaseKind | undefined {
  const binaries = machinesBinaries()
  if (binaries === undefined) return undefined
  return postgresKind(async () => {
    startedOfMachine ??= startPostgresServer(binaries)
    return (await startedOfMachine).url
  })
}

after(async () => {
  await (await started)?.stop()
  await (await startedOfMachine)?.stop()
})

async function administer(url: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 10_000 })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
