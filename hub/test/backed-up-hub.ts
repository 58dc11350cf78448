import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { ownBackupPlace } from '../src/operations/backups/backup-place.ts'
import { backupsOf, type Backups } from '../src/operations/backups/backups.ts'
import { systemClock, type Clock } from '../src/platform/clock.ts'
import { collections } from '../src/records/collections/collections.ts'
import type { Database, DatabaseOptions } from '../src/platform/db/database.ts'
import { openDatabase } from '../src/platform/db/open-database.ts'
import { inProcessEventBus } from '../src/platform/events/event-bus.ts'
import { readHubKey } from '../src/fleet/ssh/hub-key.ts'
import { recordTableStore } from '../src/records/engine/record-table-store.ts'
import type { RecordTableStore } from '../src/records/engine/engine.ts'
import { openSecrets } from '../src/platform/secrets/open-secrets.ts'
import { joinDatabase } from '../src/startup/data-directory.ts'
import { makeMemoryFolder } from './memory-folder.ts'
import { silentLog, type TestDatabaseKind } from './databases.ts'

/** A data directory with its database, as a hub leaves them. */
export type HubData = AsyncDisposable & {
  readonly directory: string
  readonly url: string | undefined
  /** Opens it as a hub does; dispose before anything else opens it. */
  readonly open: () => Promise<OpenHubData>
}

export type OpenHubData = AsyncDisposable & {
  readonly database: Database
  readonly records: RecordTableStore
  readonly backups: Backups
  /** Every row of every table, and what else a restore brings. */
  readonly everything: () => Promise<unknown>
}

export async function hubData(kind: TestDatabaseKind, clock: Clock = systemClock): Promise<HubData> {
  const directory = makeMemoryFolder('vedette-backup-')
  const place = kind.name === 'postgres' ? await kind.place() : undefined
  const at = place?.at ?? { directory }
  return {
    directory,
    url: 'url' in at ? at.url : undefined,
    open: () => open(directory, at, clock),
    async [Symbol.asyncDispose]() {
      await place?.[Symbol.asyncDispose]()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

async function open(directory: string, at: DatabaseOptions['at'], clock: Clock): Promise<OpenHubData> {
  const database = await openDatabase({ at, bus: inProcessEventBus(), log: silentLog })
  await joinDatabase(directory, database)
  const secrets = await openSecrets({ directory, configured: undefined, database })
  const databaseUrl = 'url' in at ? at.url : undefined
  const key = readHubKey(directory)
  const backups = backupsOf({
    directory,
    place: ownBackupPlace(directory),
    hub: undefined,
    databaseUrl,
    database,
    secrets,
    isKeyConfigured: false,
    clock,
    log: silentLog,
  })
  return {
    database,
    records: recordTableStore({ database, collections, secrets, clock }),
    backups,
    async everything() {
      const instance = readFileSync(join(directory, 'instance'), 'utf8')
      const config = existsSync(join(directory, 'config.yml')) ? readFileSync(join(directory, 'config.yml'), 'utf8') : undefined
      return { tables: await allRows(database), key: key.publicLine, instance, config }
    },
    async [Symbol.asyncDispose]() {
      await backups[Symbol.asyncDispose]()
      await database.close()
    },
  }
}

async function allRows({ name, kysely }: Database): Promise<Readonly<Record<string, readonly string[]>>> {
  const list =
    name === 'sqlite'
      ? sql<{ name: string }>`select name from sqlite_master where type = 'table' and name not like 'sqlite_%' order by name`
      : sql<{ name: string }>`select tablename as name from pg_tables where schemaname = current_schema() order by tablename`
  const tables = (await list.execute(kysely)).rows.map((row) => row.name)
  const rows = await Promise.all(
    tables.map(async (table) => {
      const found = await sql`select * from ${sql.table(table)}`.execute(kysely)
      return [table, found.rows.map((row) => JSON.stringify(row)).toSorted()] as const
    }),
  )
  return Object.fromEntries(rows)
}

/** Something of every kind, different each time. */
export async function fill({ database, records }: OpenHubData, systems: number): Promise<void> {
  await database.write(async (unit) => {
    const email = `${randomBytes(6).toString('hex')}@example.com`
    const user = await records.insert(unit, 'users', { email, password: 'x', username: email, role: 'admin', verified: true })
    for (let made = 0; made < systems; made++) {
      const name = randomBytes(8).toString('hex')
      const { id } = await records.insert(unit, 'systems', { name, host: '127.0.0.1', status: 'up', users: [user.id], info: { name } })
      await records.insert(unit, 'fingerprints', { system: id, token: randomBytes(8).toString('hex'), fingerprint: '' })
    }
  })
}

export const writeConfig = (directory: string, text: string): void => writeFileSync(join(directory, 'config.yml'), text)
