import { Kysely, SqliteDialect } from 'kysely'
import { accessSync, constants, existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { EventBus } from '../../events/event-bus.ts'
import { openClientReader } from './client-reader.ts'
import { publishingTo, type Transactions } from '../committed-events.ts'
import { databaseFailure, WriteQueueLateError } from '../database-failures.ts'
import { DatabaseUnusableError, type Database, type Durability, type UnitOfWork } from '../database.ts'
import { walCheckpoints, MOST_WAL_PAGES } from './wal-checkpoint.ts'
import { fileProblem } from '../../process/file-problem.ts'
import { shellWord } from '../../process/shell-word.ts'
import type { Tables } from '../schema.ts'
import { LOCK_WAIT_MS, openSqliteConnection, type SqliteConnection } from './sqlite-connection.ts'
import { sqliteDialect } from './sqlite-dialect.ts'

/**
 * Timeouts, in ms, of queries whose filter or sort comes from a client on SQLite. `runMs` (5 s) limits execution; after it the query is
 * cancelled. `waitMs` (10 s) limits the time in the queue.
 */
const CLIENT_DEADLINES = { runMs: 5_000, waitMs: 10_000 }

/**
 * Maximum time in ms that a write of the durability `power` waits in SQLite's write queue: 30 s, because a user waits for the response.
 * Writes of samples wait without limit.
 */
const WRITE_WAIT_MS = 30_000

/**
 * Maximum number of SQLite transactions, 4, that may begin in one turn of the event loop. The next one waits for the following turn, so
 * that requests are handled in between.
 */
const TRANSACTIONS_A_TURN = 4

export const SQLITE_FILE = 'vedette.sqlite'

/**
 * Opens the SQLite database: one file in WAL mode, a writing connection, a reading one, and a thread with a third one for clients' queries
 * and checkpoints. Each commit survives a killed process; users' writes (`synchronous=FULL`) also survive a power cut.
 */
export function openSqlite(directory: string, bus: EventBus, file = SQLITE_FILE, writeWaitMs = WRITE_WAIT_MS): Database {
  const path = join(directory, file)
  const writing = openWriter(directory, path)
  const reading = openSqliteConnection(path, 'read')
  const clientReader = openClientReader(path, CLIENT_DEADLINES)
  const writer = new Kysely<Tables>({ dialect: new SqliteDialect({ database: writing }) })
  const kysely = new Kysely<Tables>({ dialect: new SqliteDialect({ database: reading }) })
  const transactions: Transactions = {
    begin: (run) => writer.transaction().execute(run),
    // No lock needed: write transactions run one after the other on SQLite.
    lock: async () => {},
  }
  const publishCommitted = publishingTo(bus)
  const checkpoint = walCheckpoints(writing, clientReader.checkpoint)
  let last: Promise<unknown> = Promise.resolve()
  let durable: Durability = 'power'
  let lockWaitMs = LOCK_WAIT_MS
  let open = true

  function setDurability(durability: Durability): void {
    if (durability === durable) return
    writing.run(`pragma synchronous = ${durability === 'power' ? 'full' : 'normal'}`)
    durable = durability
  }

  /**
   * Sets SQLite's `busy_timeout`: `ms` is how long a write blocks the event loop while another program has the lock. Usually it is 3 s.
   * After a write that found the lock held, it is 0 until a write succeeds.
   */
  function waitForLock(ms: number): void {
    if (ms === lockWaitMs) return
    writing.run(`pragma busy_timeout = ${ms}`)
    lockWaitMs = ms
  }

  async function run<T>(work: (unit: UnitOfWork) => Promise<T>): Promise<T> {
    try {
      const result = await publishCommitted(transactions, work)
      waitForLock(LOCK_WAIT_MS)
      return result
    } catch (error) {
      if (databaseFailure(error) === 'away') waitForLock(0)
      throw error
    } finally {
      checkpoint()
    }
  }

  let since = 0

  /**
   * Called before each transaction. The first 4 calls in a turn of the event loop resolve at once. Further ones resolve in the following
   * turn, where the count starts again. SQLite statements never wait, so a series of transactions would block the event loop.
   */
  async function yieldToEventLoop(): Promise<void> {
    if (since === 0) setImmediate(() => (since = 0))
    since += 1
    if (since > TRANSACTIONS_A_TURN) await new Promise((resolve) => setImmediate(resolve))
  }

  return {
    name: 'sqlite',
    kysely,
    queries: clientReader.kysely,
    dialect: sqliteDialect,
    write(work, durability = 'power') {
      if (!open) return Promise.reject(new Error('Cannot write: the database is closed'))
      const { promise: late, reject } = Promise.withResolvers<never>()
      let isLate = false
      const giveUp = (): void => {
        isLate = true
        reject(new WriteQueueLateError(`Cannot write: those before it took longer than ${writeWaitMs} ms`))
      }
      const waiting = durability === 'power' ? setTimeout(giveUp, writeWaitMs) : undefined
      const mine = last.then(async () => {
        await yieldToEventLoop()
        if (isLate) return late
        clearTimeout(waiting)
        setDurability(durability)
        return run(work)
      })
      last = mine.catch(() => undefined)
      return Promise.race([mine, late])
    },
    async close() {
      if (!open) return
      open = false
      await last
      await clientReader.close()
      reading.close()
      // The last connection that closes runs the final WAL checkpoint.
      writing.close()
    },
  }
}

function openWriter(directory: string, path: string): SqliteConnection {
  const existed = existsSync(path)
  let connection: SqliteConnection | undefined
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 })
    connection = openSqliteConnection(path, 'write')
    if (!existed) connection.run('pragma page_size = 4096')
    connection.run(`pragma journal_mode = wal; pragma synchronous = full; pragma wal_autocheckpoint = ${MOST_WAL_PAGES}`)
    connection.run('pragma journal_size_limit = 67108864')
    return connection
  } catch (error) {
    connection?.close()
    throw new DatabaseUnusableError(`Cannot open the database "${path}": ${accessProblem(path) ?? reason(error, directory)}`, {
      cause: error,
    })
  }
}

/**
 * Returns a text with the reason why this user account cannot read or write the files of the SQLite database at `path`; `undefined` if it
 * can.
 */
function accessProblem(path: string): string | undefined {
  for (const file of [path, `${path}-wal`, `${path}-shm`].filter((one) => existsSync(one)))
    try {
      accessSync(file, constants.R_OK | constants.W_OK)
    } catch (error) {
      return fileProblem(file, error)
    }
  return undefined
}

/**
 * Returns shell commands, as one line of text, that restore a backup of the data directory `directory`. The admin replaces NEW by a new
 * directory and NAME by the backup. They are for error messages about a damaged database.
 */
export const restoreCommands = (directory: string): string =>
  `mkdir NEW; cp ${shellWord(directory)}/secret.key NEW; vedette backup restore ${shellWord(directory)}/backups/NAME --data NEW`

function reason(error: unknown, directory: string): string {
  const text = error instanceof Error ? error.message : String(error)
  if (/not a database|malformed/i.test(text))
    return `the file is damaged or not a database; restore a backup in a new directory with: ${restoreCommands(directory)}`
  return text
}
