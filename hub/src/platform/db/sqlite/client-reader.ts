import {
  Kysely,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type DatabaseConnection,
  type Driver,
  type QueryResult,
} from 'kysely'
import { openWorker } from '../../process/worker.ts'
import { CHECKPOINT } from './wal-checkpoint.ts'
import type { Tables } from '../schema.ts'
import { asObjects, type QueryRows } from './sqlite-connection.ts'

export type ClientQuery = { readonly sql: string; readonly parameters: readonly unknown[] }

const MAX_WAITING = 1_000
/**
 * Time in ms (60 s) without a query after which the worker thread for clients' queries on SQLite ends, to free about 15 MiB. The next query
 * starts it again in 30 to 40 ms.
 */
const IDLE_MS = 60_000

/**
 * Time limits, in ms, for SQLite queries whose filter or sort comes from a client. `runMs` limits execution, `waitMs` the time in the
 * queue; after `idleMs` without queries their worker thread ends.
 */
export type QueryDeadlines = {
  /** Maximum execution time of one client's query in the worker thread, in ms. A slower query is cancelled. */
  readonly runMs: number
  /**
   * Maximum time that a client's query waits in the queue, in ms. If a new thread must start, its start may take the same time in addition.
   */
  readonly waitMs: number
  /** Time without a client's query, in ms, after which the worker thread for such queries ends, to free memory. 60,000 by default. */
  readonly idleMs?: number
}

export type ClientReader = {
  readonly kysely: Kysely<Tables>
  /**
   * Runs a passive WAL checkpoint in the worker thread, after the thread's queued queries. Returns a promise that settles when it ends, or
   * `undefined` if the thread is not running.
   */
  readonly checkpoint: () => Promise<unknown> | undefined
  readonly close: () => Promise<void>
}

/**
 * Opens a thread with a read-only connection to the SQLite file `path`. It runs queries whose filter or sort comes from a client, so that
 * they do not block the hub. A query that is too slow rejects with {@link QueueLateError}, one beyond the queue's size with {@link
 * QueueFullError}.
 */
export function openClientReader(path: string, { runMs, waitMs, idleMs = IDLE_MS }: QueryDeadlines): ClientReader {
  const worker = openWorker('client-reader-thread', import.meta.url, { data: path, maxWaiting: MAX_WAITING, runMs, waitMs })
  const request = (sql: string, parameters: readonly unknown[]): ClientQuery => ({ sql, parameters })
  let idle: NodeJS.Timeout | undefined
  const endWhenIdle = (): void => {
    clearTimeout(idle)
    idle = setTimeout(() => {
      if (!worker.endIfIdle()) endWhenIdle()
    }, idleMs).unref()
  }
  const ask = async (sql: string, parameters: readonly unknown[]) => {
    endWhenIdle()
    return asObjects((await worker.ask(request(sql, parameters))) as QueryRows) // rows from the thread
  }

  const connection: DatabaseConnection = {
    // The caller declares the type of its rows.
    executeQuery: async <R>({ sql, parameters }: ClientQuery): Promise<QueryResult<R>> => ({ rows: (await ask(sql, parameters)) as R[] }),
    streamQuery: () => {
      throw new Error('Cannot stream client queries')
    },
  }
  return {
    kysely: new Kysely<Tables>({
      dialect: {
        createAdapter: () => new SqliteAdapter(),
        createQueryCompiler: () => new SqliteQueryCompiler(),
        createIntrospector: (db) => new SqliteIntrospector(db),
        createDriver: () => readingDriver(connection),
      },
    }),
    // A checkpoint does not count as a query, otherwise the thread of a busy fleet would never end.
    checkpoint: () => (worker.isStarted() ? worker.ask(request(CHECKPOINT, [])) : undefined),
    close: () => {
      clearTimeout(idle)
      return worker.close(new Error('Cannot read: the database is closed'))
    },
  }
}

/**
 * Creates the driver for Kysely (SQL query builder) whose queries run in the worker thread for client queries, one after the other. It
 * refuses transactions.
 */
function readingDriver(connection: DatabaseConnection): Driver {
  const refuse = async (): Promise<void> => {
    throw new Error('Cannot begin a transaction for client queries')
  }
  const nothing = async (): Promise<void> => {}
  return {
    init: nothing,
    acquireConnection: async () => connection,
    beginTransaction: refuse,
    commitTransaction: refuse,
    rollbackTransaction: refuse,
    releaseConnection: nothing,
    destroy: nothing,
  }
}
