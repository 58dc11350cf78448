import { renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseUnusableError, type Database } from '../../platform/db/database.ts'
import { createLogTables } from '../../platform/db/migrations/0013-logs.ts'
import { openSqlite } from '../../platform/db/sqlite/sqlite.ts'
import type { EventBus } from '../../platform/events/event-bus.ts'
import type { Log } from '../../platform/log.ts'

const FILE = 'logs.sqlite'

export type LogDatabase = AsyncDisposable & { readonly database: Database }

/**
 * Opens the database of the stored log: the file `logs.sqlite` in the data directory, or the hub's own database on PostgreSQL. A damaged
 * file is renamed to `logs.sqlite.damaged` and replaced by an empty one.
 */
export async function openLogDatabase(main: Database, directory: string, bus: EventBus, log: Log): Promise<LogDatabase> {
  if (main.name === 'postgres') return { database: main, [Symbol.asyncDispose]: async () => {} }
  const database = await openFile(directory, bus).catch((error: unknown) => {
    if (!isDamage(error)) throw error
    log.error('log database damaged: it was renamed and a new one created', { file: `${FILE}.damaged`, error })
    for (const end of ['-wal', '-shm']) rmSync(join(directory, FILE + end), { force: true })
    renameSync(join(directory, FILE), join(directory, `${FILE}.damaged`))
    return openFile(directory, bus)
  })
  return { database, [Symbol.asyncDispose]: () => database.close() }
}

const isDamage = (error: unknown): boolean =>
  error instanceof Error && (/damaged|malformed|not a database/.test(error.message) || isDamage(error.cause))

async function openFile(directory: string, bus: EventBus): Promise<Database> {
  const database = openSqlite(directory, bus, FILE)
  try {
    await database.write(({ sql }) => createLogTables(sql, database.name), 'process')
    return database
  } catch (error) {
    await database.close()
    throw new DatabaseUnusableError('Cannot open the log', { cause: error })
  }
}
