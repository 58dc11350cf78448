import type { Database, DatabaseOptions } from './database.ts'
import { migrate } from './migrate.ts'
import { openSqlite, SQLITE_FILE } from './sqlite/sqlite.ts'

/** Opens the database and brings its tables up to date. Throws {@link DatabaseUnusableError}; then nothing was touched. */
export async function openDatabase({ at, bus, log, writeWaitMs, admit }: DatabaseOptions): Promise<Database> {
  const database = await open({ at, bus, log, writeWaitMs })
  try {
    await migrate(database, log, admit)
    return database
  } catch (error) {
    await database.close()
    throw error
  }
}

/** A server's driver is loaded only by those who have a server: most hubs never do. */
async function open({ at, bus, log, writeWaitMs }: Omit<DatabaseOptions, 'admit'>): Promise<Database> {
  if (!('url' in at)) return openSqlite(at.directory, bus, SQLITE_FILE, writeWaitMs)
  const { openPostgres } = await import('./postgres/postgres.ts')
  return openPostgres(at.url, bus, log)
}
