import type { Database, DatabaseOptions } from './database.ts'
import { migrate, type MigrateOptions } from './migrate.ts'
import { openSqlite, SQLITE_FILE } from './sqlite/sqlite.ts'

/**
 * Opens the SQLite or PostgreSQL database and runs its missing migrations. Rejects with {@link DatabaseUnusableError} and leaves the
 * database unchanged when the hub cannot use it.
 */
export async function openDatabase({ at, bus, log, writeWaitMs, journal, ...migrating }: DatabaseOptions): Promise<Database> {
  const database = await open({ at, bus, log, writeWaitMs, journal })
  try {
    await migrate(database, log, migrating)
    return database
  } catch (error) {
    await database.close()
    throw error
  }
}

/**
 * Opens the database without running migrations, and resolves to it. Loads the PostgreSQL driver on demand, because most hubs use SQLite.
 */
async function open({ at, bus, log, writeWaitMs, journal }: Omit<DatabaseOptions, keyof MigrateOptions>): Promise<Database> {
  if (!('url' in at)) return openSqlite(at.directory, bus, SQLITE_FILE, writeWaitMs)
  const { openPostgres } = await import('./postgres/postgres.ts')
  return openPostgres(at, bus, log, { journal })
}
