import { sql } from 'kysely'
import type { Log } from '../log.ts'
import { DatabaseUnusableError, type Database, type DatabaseOptions } from './database.ts'
import { loadState } from './hub-state.ts'
import { thisProgram, type Program } from './migrations/all-migrations.ts'
import { whenUnlocked, yieldToHubs } from './migration-locks.ts'
import { endOlderHubs, withoutOlderHubs } from './older-hubs.ts'
import { loadSchema, saveSchema, tooNew, type StoredSchema } from './schema-support.ts'

/** Key of the database's id in the table `hub_state`: `instance`. The data directory of a hub stores a copy of that id. */
export const INSTANCE = 'instance'

/**
 * Options for running migrations; {@link DatabaseOptions} explains most of them. `program` has the hub version and its list of migrations;
 * by default that of this process.
 */
export type MigrateOptions = Pick<DatabaseOptions, 'admit' | 'isShared' | 'beforeUpgrade' | 'keepsSchema'> & { readonly program?: Program }

/**
 * Runs all missing migrations in one transaction, after `beforeUpgrade` for an existing database. With `keepsSchema`, an existing database
 * stays as it is. A shared database may have newer migrations than this program knows, if those removed nothing. Throws {@link
 * DatabaseUnusableError} before any change when this program must not use the database.
 */
export async function migrate(database: Database, log: Log, options: MigrateOptions = {}): Promise<void> {
  const { program = thisProgram, keepsSchema = false } = options
  const known = program.migrations.length
  const found = await readSchema(database)
  await refuseReplica(database)
  const isNew = found.schema === 0
  if (!keepsSchema) refuseNewer(found, program, options)
  options.admit?.(isNew ? undefined : await loadState(database.kysely, INSTANCE))
  if (found.schema >= known || (keepsSchema && !isNew)) return noteNewer(found, program, log)
  if (await upgradeWithCopy(database, found.schema, { program, log, options })) return
  return migrate(database, log, options)
}

function noteNewer({ schema, support }: StoredSchema, { migrations, version }: Program, log: Log): void {
  if (schema > migrations.length)
    log.info('the database is of a newer version, which this one may run beside', { newer: support?.writtenBy, this: version })
}

/**
 * Upgrades a database from schema number `from` (the count of migrations that have run), an existing one after a backup with
 * `beforeUpgrade`, if given. Resolves to false if another hub has upgraded it meanwhile.
 */
async function upgradeWithCopy(
  database: Database,
  from: number,
  { program, log, options }: { readonly program: Program; readonly log: Log; readonly options: MigrateOptions },
): Promise<boolean> {
  const copy = from === 0 ? undefined : await options.beforeUpgrade?.(database)
  try {
    const isDone = await upgrade(database, from, program, options)
    if (isDone) log.info('database migrated', { from, to: program.migrations.length, copy: copy?.path })
    // The copy may be from after the other hub's upgrade.
    else await copy?.discard()
    return isDone
  } catch (error) {
    // A refusal has changed nothing, so nobody needs the copy. After any other error the commit may have succeeded.
    if (error instanceof DatabaseUnusableError) await copy?.discard()
    throw error
  }
}

function refuseNewer(schema: StoredSchema, program: Program, { isShared = false }: MigrateOptions): void {
  const problem = tooNew(schema, program, isShared)
  if (problem !== undefined) throw new DatabaseUnusableError(problem)
}

/**
 * Runs the migrations after the schema number `from` (the count of migrations that have run) in one transaction. Resolves to true, or to
 * false without a change when another hub has upgraded the database meanwhile.
 */
async function upgrade(database: Database, from: number, program: Program, options: MigrateOptions): Promise<boolean> {
  let isDone = false
  const run = (): Promise<void> =>
    database.write(async (unit) => {
      // Another hub may be starting on the same database. Its transaction waits here and then finds no missing migration.
      await unit.alone('migrate')
      const now = await loadSchema(unit.sql, database.name)
      refuseNewer(now, program, options)
      isDone = now.schema === from
      if (!isDone) return
      if (database.name === 'postgres') {
        await endOlderHubs(unit, now.schema, program)
        await yieldToHubs(unit)
      }
      for (const migration of program.migrations.slice(now.schema)) await migration(unit.sql, database.name)
      await saveSchema(unit.sql, program)
    })
  await withoutOlderHubs(program, () => whenUnlocked(run))
  return isDone
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
