import type { Database, DatabaseOptions } from './database.ts'
import { migrate } from './migrate.ts'
import { openSqlite } from './sqlite.ts'

/** Opens the database and brings its tables up to date. Throws {@link DatabaseUnusableError}; then nothing was touched. */
export async function openDatabase({ at, bus, log, admit }: DatabaseOptions): Promise<Database> {
  const database = await open({ at, bus, log })
  try {
    await migrate(database, log, admit)
    return database
  } catch (error) {
    await database.close()
    throw error
  }
}

/** A server's driver is loaded only by those who have a server: most hubs never do. */
async function open({ at, bus, log }: Pick<DatabaseOptions, 'at' | 'bus' | 'log'>): Promise<Database> {
  if (!('url' in at)) return openSqlite(at.directory, bus)
  const { openPostgres } = await import('./postgres.ts')
  return openPostgres(at.url, bus, log)
}
