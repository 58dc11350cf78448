import {
  Kysely,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type DatabaseConnection,
  type Driver,
  type QueryResult,
} from 'kysely'
import { openWorker } from '../../worker.ts'
import { CHECKPOINT } from './wal-checkpoint.ts'
import type { Tables } from '../schema.ts'
import { asObjects, type QueryRows } from './sqlite-connection.ts'

export type ClientQuery = { readonly sql: string; readonly parameters: readonly unknown[] }

const MAX_WAITING = 1_000
/** The thread's heap takes about 15 MiB. A start takes 30 to 40 ms. */
const IDLE_MS = 60_000

/** Timeouts of one query. */
export type QueryDeadlines = {
  /** Maximum time in the thread. */
  readonly runMs: number
  /** Maximum time in the queue, and again until a new thread is ready. */
  readonly waitMs: number
  /** Time without a query after which the thread ends; a minute by default. */
  readonly idleMs?: number
}

export type ClientReader = {
  readonly kysely: Kysely<Tables>
  /** Checkpoints the WAL after the queued queries. `undefined` while the thread is not started. */
  readonly checkpoint: () => Promise<unknown> | undefined
  readonly close: () => Promise<void>
}

/**
 * Runs client-supplied queries in a thread with a read-only connection, so that they delay nothing else. Late queries reject with
 * {@link QueueLateError}, queries beyond the queue's size with {@link QueueFullError}.
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
    return asObjects((await worker.ask(request(sql, parameters))) as QueryRows) // the thread's result
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
    // Not a query: a busy fleet needs checkpoints all the time.
    checkpoint: () => (worker.isStarted() ? worker.ask(request(CHECKPOINT, [])) : undefined),
    close: () => {
      clearTimeout(idle)
      return worker.close(new Error('Cannot read: the database is closed'))
    },
  }
}

/** One connection for all queries, because the thread runs them one after the other. */
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
