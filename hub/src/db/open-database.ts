import type { Database, DatabaseOptions } from './database.ts'
import { migrate } from './migrate.ts'
import { openPostgres } from './postgres.ts'
import { openSqlite } from './sqlite.ts'

/** Opens the database and brings its tables up to date. Throws {@link DatabaseUnusableError}; then nothing was touched. */
export async function openDatabase({ at, bus, log, admit }: DatabaseOptions): Promise<Database> {
  const database = 'url' in at ? openPostgres(at.url, bus, log) : openSqlite(at.directory, bus)
  try {
    await migrate(database, log, admit)
    return database
  } catch (error) {
    await database.close()
    throw error
  }
}
