import { sql, type Kysely, type Transaction } from 'kysely'
import type { Log } from '../log.ts'
import { DatabaseUnusableError, type Database } from './database.ts'
import { loadState } from './hub-state.ts'
import { createFirstTables } from './migrations/0001-first-tables.ts'
import { addServicesAndDrives } from './migrations/0002-services-and-drives.ts'
import { addHistoryBlocks } from './migrations/0003-history-blocks.ts'
import { findAgentsByToken } from './migrations/0004-agents-by-token.ts'
import { addMailOutbox } from './migrations/0005-mail-outbox.ts'
import { addSignInTraces } from './migrations/0006-sign-in-traces.ts'
import { addSessions } from './migrations/0007-sessions.ts'
import { addAuditLog } from './migrations/0008-audit-log.ts'
import { addAlerts } from './migrations/0009-alerts.ts'
import { addDeliveries } from './migrations/0010-deliveries.ts'
import { addSystemEvents } from './migrations/0011-system-events.ts'
import { addAlertTargets } from './migrations/0012-alert-targets.ts'
import { addLogs } from './migrations/0013-logs.ts'
import { addHubHealth } from './migrations/0014-hub-health.ts'
import { addDueTimes } from './migrations/0015-due-times.ts'
import { addHubs } from './migrations/0016-hubs.ts'
import { addSharedDecisions } from './migrations/0017-shared-decisions.ts'
import { findOpenSamples } from './migrations/0018-open-samples.ts'
import type { Tables } from './schema.ts'

/** Upgrades the tables by one version. A released migration is never changed; a correction is a new migration. */
export type Migration = (transaction: Transaction<Tables>, database: Database['name']) => Promise<void>

/** All migrations, in order. The version of a database is the number of migrations it has run. */
const migrations: readonly Migration[] = [
  createFirstTables,
  addServicesAndDrives,
  addHistoryBlocks,
  findAgentsByToken,
  addMailOutbox,
  addSignInTraces,
  addSessions,
  addAuditLog,
  addAlerts,
  addDeliveries,
  addSystemEvents,
  addAlertTargets,
  addLogs,
  addHubHealth,
  addDueTimes,
  addHubs,
  addSharedDecisions,
  findOpenSamples,
]

/** Name of the `hub_state` value with the number of migrations that have run. */
export const SCHEMA_VERSION = 'schemaVersion'
/** Number of migrations that this program knows. */
export const knownSchemaVersion = migrations.length

/** Runs the missing migrations, all or nothing. Throws {@link DatabaseUnusableError} before the first change when it must not run them. */
export async function migrate(database: Database, log: Log, admit: (instance: string | undefined) => void = () => {}): Promise<void> {
  const found = await loadVersion(database)
  await refuseReplica(database)
  refuseNewer(found)
  admit(found === 0 ? undefined : await loadState(database.kysely, INSTANCE))
  if (found === migrations.length) return
  await database.write(async (unit) => {
    // Another hub may be starting on the same database. It waits here, and finds every migration done.
    await unit.alone('migrate')
    const transaction = unit.sql
    const now = await versionIn(transaction, database.name)
    refuseNewer(now)
    for (const migration of migrations.slice(now)) await migration(transaction, database.name)
    await transaction
      .insertInto('hub_state')
      .values({ name: SCHEMA_VERSION, value: String(migrations.length) })
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ value: String(migrations.length) }))
      .execute()
  })
  log.info('database migrated', { from: found, to: migrations.length })
}

function refuseNewer(version: number): void {
  if (version <= migrations.length) return
  throw new DatabaseUnusableError(
    `Cannot use the database: it was written by a newer version (schema ${version}, this program knows ${migrations.length})`,
  )
}

/** A standby server replies to every query, so a hub would start on it and could store nothing. */
async function refuseReplica({ name, kysely }: Database): Promise<void> {
  if (name === 'sqlite') return
  const { rows } = await sql<{ replica: boolean }>`select pg_is_in_recovery() as replica`.execute(kysely)
  if (rows[0]?.replica !== true) return
  throw new DatabaseUnusableError('Cannot use the database: the server is a read replica; give the address of the primary server')
}

async function loadVersion(database: Database): Promise<number> {
  try {
    const version = await versionIn(database.kysely, database.name)
    if (Number.isSafeInteger(version) && version >= 0) return version
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error)
    if (text.startsWith('unsupported startup parameter'))
      throw new DatabaseUnusableError('Cannot use the database: this is a pooler; give its address with --database-pooler', {
        cause: error,
      })
    throw new DatabaseUnusableError(`Cannot read the database: ${text === '' ? 'the server does not answer' : text}`, { cause: error })
  }
  throw new DatabaseUnusableError('Cannot use the database: its schema version is not a number')
}

/** Name of the `hub_state` value with the database's id. A data directory stores that id too. */
export const INSTANCE = 'instance'

async function versionIn(kysely: Kysely<Tables>, name: Database['name']): Promise<number> {
  if (!(await hasState(kysely, name))) return 0
  return Number((await loadState(kysely, SCHEMA_VERSION)) ?? 0)
}

async function hasState(kysely: Kysely<Tables>, name: Database['name']): Promise<boolean> {
  const found =
    name === 'sqlite'
      ? await sql`select 1 from sqlite_master where type = 'table' and name = 'hub_state'`.execute(kysely)
      : await sql`select 1 from information_schema.tables where table_schema = current_schema() and table_name = 'hub_state'`.execute(
          kysely,
        )
  return found.rows.length > 0
}
