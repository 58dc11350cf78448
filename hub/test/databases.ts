import { after } from 'node:test'
import { randomBytes } from 'node:crypto'
import { copyFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Database, DatabaseOptions } from '../src/platform/db/database.ts'
import { openDatabase } from '../src/platform/db/open-database.ts'
import { SQLITE_FILE } from '../src/platform/db/sqlite/sqlite.ts'
import { inProcessEventBus, type EventBus, type RecordEvent } from '../src/platform/events/event-bus.ts'
import type { Log } from '../src/platform/log.ts'
import { makeMemoryFolder } from './memory-folder.ts'
import { machinesBinaries, startPostgresServer, type PostgresServer } from './postgres-server.ts'
import { administer, databaseUrl, makeTemplate, type Template } from './postgres-template.ts'

/** A real database for one test; disposing it removes it. */
export type TestDatabase = AsyncDisposable & {
  readonly database: Database
  readonly bus: EventBus
  /** Events published on the bus so far. */
  readonly events: readonly RecordEvent[]
  /** Address for a second connection, or a hub process. */
  readonly at: DatabaseOptions['at']
}

type Place = AsyncDisposable & { readonly at: DatabaseOptions['at'] }

export type TestDatabaseKind = {
  readonly name: Database['name']
  /** A place for a new database, with nothing in it. */
  readonly place: () => Promise<Place>
  /** A place for one whose tables are made already, where that is quicker. */
  readonly ready: () => Promise<Place>
  readonly open: (options?: Pick<DatabaseOptions, 'writeWaitMs'>) => Promise<TestDatabase>
}

export const silentLog: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }

/** Every store test runs over all of these. */
export const databases: readonly TestDatabaseKind[] = [
  kind('sqlite', sqlitePlace, async () => {
    const place = await sqlitePlace()
    copyFileSync(join(await sqliteTemplate(), SQLITE_FILE), join(place.at.directory, SQLITE_FILE))
    return place
  }),
  postgresKind(serverUrl, templateName),
]

async function sqlitePlace() {
  const directory = makeMemoryFolder('vedette-test-')
  return { at: { directory }, [Symbol.asyncDispose]: async () => rmSync(directory, { recursive: true, force: true }) }
}

/** Databases of their own on a server. */
function postgresKind(server: () => Promise<string>, template: () => Promise<string>): TestDatabaseKind {
  const place = async (from: string): Promise<Place> => {
    const url = await server()
    const name = `vedette_test_${randomBytes(8).toString('hex')}`
    // Copying files takes half the time of copying pages through the log (CREATE DATABASE).
    await administer(url, `create database ${name} template ${from} strategy file_copy`)
    return { at: { url: databaseUrl(url, name) }, [Symbol.asyncDispose]: () => administer(url, `drop database ${name} with (force)`) }
  }
  return kind(
    'postgres',
    () => place('template1'),
    async () => place(await template()),
  )
}

function kind(name: Database['name'], place: TestDatabaseKind['place'], ready = place): TestDatabaseKind {
  return {
    name,
    place,
    ready,
    async open(options) {
      const where = await ready()
      const bus = inProcessEventBus()
      const events: RecordEvent[] = []
      // Somebody watches: samples do not wait to share a transaction.
      bus.subscribe(
        'all',
        (event) => events.push(event),
        () => true,
      )
      const database = await openDatabase({ at: where.at, bus, log: silentLog, ...options })
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

let madeSqlite: Promise<string> | undefined

/** The folder of a database whose tables are made. */
function sqliteTemplate(): Promise<string> {
  madeSqlite ??= (async () => {
    const directory = makeMemoryFolder('vedette-template-')
    await (await openDatabase({ at: { directory }, bus: inProcessEventBus(), log: silentLog })).close()
    return directory
  })()
  return madeSqlite
}

let started: Promise<PostgresServer> | undefined

/** The server the run was given, or one for this process. */
async function serverUrl(): Promise<string> {
  const given = process.env['VEDETTE_TEST_DATABASE_URL']
  if (given !== undefined && given !== '') return given
  started ??= startPostgresServer()
  return (await started).url
}

let made: Promise<Template> | undefined

/** The one that the run made, or one of this process. */
async function templateName(): Promise<string> {
  const given = process.env['VEDETTE_TEST_TEMPLATE']
  if (given !== undefined && given !== '') return given
  made ??= serverUrl().then(makeTemplate)
  return (await made).name
}

let startedOfMachine: Promise<PostgresServer> | undefined

/** The same on a PostgreSQL of this machine, whose client programs fit it; undefined when there is none. */
export function machinesPostgres(): TestDatabaseKind | undefined {
  const binaries = machinesBinaries()
  if (binaries === undefined) return undefined
  const server = async (): Promise<string> => {
    startedOfMachine ??= startPostgresServer(binaries)
    return (await startedOfMachine).url
  }
  return postgresKind(server, async () => 'template1')
}

after(async () => {
  if (madeSqlite !== undefined) rmSync(await madeSqlite, { recursive: true })
  await (await made)?.[Symbol.asyncDispose]()
  await (await started)?.stop()
  await (await startedOfMachine)?.stop()
})
