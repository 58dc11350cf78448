import { sql } from 'kysely'
import type { Log } from '../log.ts'
import { DatabaseUnusableError, type Database } from './database.ts'
import { loadState } from './hub-state.ts'
import { thisProgram, type Program } from './migrations/all-migrations.ts'
import { whenUnlocked, yieldToHubs } from './migration-locks.ts'
import { endOlderHubs, withoutOlderHubs } from './older-hubs.ts'
import { loadSchema, saveSchema, tooNew, type StoredSchema } from './schema-support.ts'

/** Name of the key in the table `hub_state` whose value is the database's id. The data directory stores a copy of that id. */
export const INSTANCE = 'instance'

export type MigrateOptions = {
  readonly admit?: ((instance: string | undefined) => void) | undefined
  readonly isShared?: boolean | undefined
  readonly program?: Program
}

/**
 * Runs all missing migrations in one transaction. A shared database may have newer migrations than this program knows, if those removed
 * nothing. Throws {@link DatabaseUnusableError} before any change when this program must not use the database.
 */
export async function migrate(database: Database, log: Log, options: MigrateOptions = {}): Promise<void> {
  const { admit = () => {}, isShared = false, program = thisProgram } = options
  const known = program.migrations.length
  const refuseNewer = (schema: StoredSchema): void => {
    const problem = tooNew(schema, program, isShared)
    if (problem !== undefined) throw new DatabaseUnusableError(problem)
  }
  const found = await readSchema(database)
  await refuseReplica(database)
  refuseNewer(found)
  admit(found.schema === 0 ? undefined : await loadState(database.kysely, INSTANCE))
  if (found.schema > known)
    log.info('the database is of a newer version, which this one may run beside', {
      newer: found.support?.writtenBy,
      this: program.version,
    })
  if (found.schema >= known) return
  const run = (): Promise<void> =>
    database.write(async (unit) => {
      // Another hub may be starting on the same database. Its transaction waits here and then finds no missing migration.
      await unit.alone('migrate')
      const now = await loadSchema(unit.sql, database.name)
      refuseNewer(now)
      if (now.schema >= known) return
      if (database.name === 'postgres') {
        await endOlderHubs(unit, now.schema, program)
        await yieldToHubs(unit)
      }
      for (const migration of program.migrations.slice(now.schema)) await migration(unit.sql, database.name)
      await saveSchema(unit.sql, program)
    })
  await withoutOlderHubs(program, () => whenUnlocked(run))
  log.info('database migrated', { from: found.schema, to: known })
}

/**
 * Throws `DatabaseUnusableError` when the PostgreSQL server is a read replica (standby). It responds to queries but cannot store anything.
 */
async function refuseReplica({ name, kysely }: Database): Promise<void> {
  if (name === 'sqlite') return
  const { rows } = await sql<{ replica: boolean }>`select pg_is_in_recovery() as replica`.execute(kysely)
  if (rows[0]?.replica !== true) return
  throw new DatabaseUnusableError('Cannot use the database: the server is a read replica; give the address of the primary server')
}

async function readSchema(database: Database): Promise<StoredSchema> {
  try {
    const found = await loadSchema(database.kysely, database.name)
    if (Number.isSafeInteger(found.schema) && found.schema >= 0) return found
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
