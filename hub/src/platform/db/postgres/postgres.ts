import { Kysely, PostgresDialect, sql, type Dialect, type PostgresPool, type PostgresPoolClient } from 'kysely'
import { Pool, types, type CustomTypesConfig } from 'pg'
import type { EventBus } from '../../events/event-bus.ts'
import type { Log } from '../../log.ts'
import { publishingTo, type Transactions } from '../committed-events.ts'
import { isUnanswered } from '../database-failures.ts'
import type { Database, Durability, JournalEvents, PostgresAddress, PostgresLimits } from '../database.ts'
import type { Tables } from '../schema.ts'
import { batchedSend, pipelinedTransaction, type Send } from './at-once.ts'
import { postgresDialect } from './postgres-dialect.ts'
import { IDLE_IN_TRANSACTION_MS, inTransactions, SHARED_IDLE_IN_TRANSACTION_MS } from './statement-settings.ts'

/** Timeout in ms that PostgreSQL applies to queries whose filter or sort comes from a client: 5 s. */
const QUERY_MS = 5_000

/** Default limits of the PostgreSQL connections: at most 10 for the hub's own queries, and 4 for queries of clients; timeouts in ms. */
const DEFAULT_LIMITS: PostgresLimits = { connections: 10, queryConnections: 4, connectMs: 10_000, statementMs: 30_000, lockMs: 20_000 }

/**
 * Additional timeout of the PostgreSQL driver, in ms (5 s), after the server's own statement timeout. If no response has arrived by then,
 * the driver treats the connection as dead.
 */
const UNANSWERED_MS = 5_000

type PostgresOptions = {
  /** Function that stores record events for other hubs, within their transaction. `undefined` when a single hub uses the database. */
  readonly journal?: JournalEvents | undefined
  readonly unansweredMs?: number
  readonly idleInTransactionMs?: number
}

/**
 * Type parsers of the PostgreSQL driver, by type id. They return int8 (counts, epoch milliseconds) and numeric as numbers, which are exact
 * up to 2^53.
 */
const parsers: CustomTypesConfig = {
  getTypeParser: (oid, format) =>
    oid === types.builtins.INT8 || oid === types.builtins.NUMERIC
      ? Number
      : format === 'binary'
        ? types.getTypeParser(oid, format)
        : types.getTypeParser(oid),
}

/**
 * Opens a PostgreSQL database with its connection pools. Connects at the first query. A lost connection is replaced, and its queries fail
 * as `away`.
 */
export function openPostgres(address: PostgresAddress, bus: EventBus, log: Log, options: PostgresOptions = {}): Database {
  const { journal, unansweredMs = UNANSWERED_MS } = options
  const idleMs = options.idleInTransactionMs ?? (journal === undefined ? IDLE_IN_TRANSACTION_MS : SHARED_IDLE_IN_TRANSACTION_MS)
  const { url, poolerUrl, limits = {} } = address
  const { connections, queryConnections, connectMs, statementMs, lockMs } = { ...DEFAULT_LIMITS, ...limits }
  const shared = { url: poolerUrl ?? url, isPooled: poolerUrl !== undefined, connectMs, lockMs, idleMs, unansweredMs }
  const ownDialect = openPool({ ...shared, connections, statementMs, isReadOnly: false }, log)
  const kysely = new Kysely<Tables>({ dialect: ownDialect })
  // A separate pool, so that client-supplied queries cannot use up the connections for samples.
  const queries = new Kysely<Tables>({
    dialect: openPool({ ...shared, connections: queryConnections, statementMs: QUERY_MS, isReadOnly: true }, log),
  })
  const publishCommitted = publishingTo(bus, journal)
  let closing: Promise<unknown> | undefined
  return {
    name: 'postgres',
    kysely,
    queries,
    dialect: postgresDialect,
    write: (work, durability = 'power') => publishCommitted(transactions(kysely, ownDialect, durability), work),
    close: async () => {
      await (closing ??= Promise.all([kysely.destroy(), queries.destroy()]))
    },
  }
}

type PoolSettings = {
  readonly url: string
  /**
   * True when connections to PostgreSQL go through a pooler in transaction mode, such as PgBouncer. It keeps no session settings, so each
   * transaction sets its own.
   */
  readonly isPooled: boolean
  readonly connections: number
  readonly connectMs: number
  readonly statementMs: number
  readonly lockMs: number
  readonly idleMs: number
  readonly unansweredMs: number
  readonly isReadOnly: boolean
}

function openPool(settings: PoolSettings, log: Log): Dialect {
  const { url, isPooled, connections, connectMs, statementMs, lockMs, idleMs, unansweredMs, isReadOnly } = settings
  const session = {
    statement_timeout: statementMs,
    lock_timeout: lockMs,
    idle_in_transaction_session_timeout: idleMs,
    options: isReadOnly ? '-c default_transaction_read_only=on' : '',
  }
  const pool = new Pool({
    connectionString: url,
    max: connections,
    connectionTimeoutMillis: connectMs,
    query_timeout: statementMs + unansweredMs,
    keepAlive: true,
    pipeline: true,
    application_name: 'vedette',
    types: parsers,
    ...(isPooled ? {} : session),
  })
  pool.on('error', (error) => log.warn('idle database connection lost', { error }))
  // Without this listener, a connection that breaks between two statements would end the process. With it, only the next statement fails.
  pool.on('connect', (client) => client.on('error', (error) => log.warn('database connection lost', { error })))
  return new PostgresDialect({ pool: closingUnanswered(pool, isPooled ? inTransactions(settings) : (send) => send) })
}

/**
 * Wraps a PostgreSQL connection pool. A released connection on which a query got no response is closed instead of reused, because its
 * transaction may still be open. `withSettings` wraps each connection's `Send` function, for example to set timeouts.
 */
function closingUnanswered(pool: Pool, withSettings: (send: Send) => Send): PostgresPool {
  return {
    async connect(): Promise<PostgresPoolClient> {
      const client = await pool.connect()
      const send = withSettings(batchedSend(client))
      let isStuck = false
      const query = async (text: string, parameters: unknown[]): Promise<unknown> => {
        try {
          return await send(text, parameters)
        } catch (error) {
          isStuck ||= error instanceof Error && isUnanswered(error)
          throw error
        }
      }
      // The other overload, for cursors, is not used here. The statement defines the row type.
      return { query: query as unknown as PostgresPoolClient['query'], release: () => client.release(isStuck) }
    },
    options: pool.options,
    end: () => pool.end(),
  }
}

function transactions(kysely: Kysely<Tables>, dialect: Dialect, durability: Durability): Transactions {
  return {
    begin: (run) =>
      kysely.transaction().execute(async (transaction) => {
        if (durability === 'process') await sql`set local synchronous_commit = off`.execute(transaction)
        return run(await pipelinedTransaction(transaction, dialect))
      }),
    lock: async (transaction, purpose) => {
      await sql`select pg_advisory_xact_lock(hashtextextended(${`vedette ${purpose}`}, 0))`.execute(transaction)
    },
  }
}
