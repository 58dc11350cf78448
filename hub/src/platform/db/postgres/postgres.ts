import { Kysely, PostgresDialect, sql, type PostgresPool, type PostgresPoolClient } from 'kysely'
import { Pool, types, type CustomTypesConfig } from 'pg'
import type { EventBus } from '../../events/event-bus.ts'
import type { Log } from '../../log.ts'
import { publishingTo, type Transactions } from '../committed-events.ts'
import { isUnanswered } from '../database-failures.ts'
import type { Database, Durability, JournalEvents } from '../database.ts'
import type { Tables } from '../schema.ts'
import { postgresDialect } from './postgres-dialect.ts'

/** Timeout of an idle transaction. One this old was lost, and its locks must not block others. */
const IDLE_IN_TRANSACTION_MS = 60_000

/** Connection pools. The hub's own statements have a long timeout. Client queries have a short one, and cannot use up the connections of ingest. */
const ours = { connections: 10, statementTimeoutMs: 30_000, settings: '' } as const
const QUERY_POOL = { connections: 4, statementTimeoutMs: 5_000, settings: '-c default_transaction_read_only=on' } as const

/** Timeouts for a server that says nothing. */
export type SilenceTimeouts = {
  /** Until a connection is ready. */
  readonly connectMs: number
  /** Extra time after a statement's own timeout, at which the server ends it. The connection is dead then. */
  readonly unansweredMs: number
}

type PostgresOptions = Partial<SilenceTimeouts> & { readonly journal?: JournalEvents | undefined }

const SILENCE: SilenceTimeouts = { connectMs: 10_000, unansweredMs: 5_000 }

/** Parses int8 (counts, epoch milliseconds) and numeric as numbers. A double is exact up to 2^53. */
const parsers: CustomTypesConfig = {
  getTypeParser: (oid, format) =>
    oid === types.builtins.INT8 || oid === types.builtins.NUMERIC
      ? Number
      : format === 'binary'
        ? types.getTypeParser(oid, format)
        : types.getTypeParser(oid),
}

/** Opens a PostgreSQL database. Connects at the first query. A lost connection is replaced, and its queries fail as `away`. */
export function openPostgres(url: string, bus: EventBus, log: Log, options: PostgresOptions = {}): Database {
  const { journal, ...silence } = options
  const timeouts = { ...SILENCE, ...silence }
  const kysely = openPool(url, { ...ours, ...timeouts }, log)
  const queries = openPool(url, { ...QUERY_POOL, ...timeouts }, log)
  const publishCommitted = publishingTo(bus, journal)
  let closing: Promise<unknown> | undefined
  return {
    name: 'postgres',
    kysely,
    queries,
    dialect: postgresDialect,
    write: (work, durability = 'power') => publishCommitted(transactions(kysely, durability), work),
    close: async () => {
      await (closing ??= Promise.all([kysely.destroy(), queries.destroy()]))
    },
  }
}

type PoolLimits = SilenceTimeouts & {
  readonly connections: number
  readonly statementTimeoutMs: number
  readonly settings: string
}

function openPool(url: string, limits: PoolLimits, log: Log): Kysely<Tables> {
  const { connections, statementTimeoutMs, settings, connectMs, unansweredMs } = limits
  const pool = new Pool({
    connectionString: url,
    max: connections,
    connectionTimeoutMillis: connectMs,
    statement_timeout: statementTimeoutMs,
    query_timeout: statementTimeoutMs + unansweredMs,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
    options: settings,
    keepAlive: true,
    application_name: 'vedette',
    types: parsers,
  })
  pool.on('error', (error) => log.warn('idle database connection lost', { error }))
  // Without this listener, a connection that breaks between two statements would end the process. The next statement fails.
  pool.on('connect', (client) => client.on('error', (error) => log.warn('database connection lost', { error })))
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool: withoutStuck(pool) }) })
}

/** Drops connections with an unanswered query, because their transaction may still be open. */
function withoutStuck(pool: Pool): PostgresPool {
  return {
    async connect(): Promise<PostgresPoolClient> {
      const client = await pool.connect()
      let isStuck = false
      const query = async (text: string, parameters: unknown[]): Promise<unknown> => {
        try {
          return await client.query(text, parameters)
        } catch (error) {
          isStuck ||= error instanceof Error && isUnanswered(error)
          throw error
        }
      }
      // The other overload reads through a cursor, which is not used here. The statement defines its rows.
      return { query: query as unknown as PostgresPoolClient['query'], release: () => client.release(isStuck) }
    },
    options: pool.options,
    end: () => pool.end(),
  }
}

function transactions(kysely: Kysely<Tables>, durability: Durability): Transactions {
  return {
    begin: (run) =>
      kysely.transaction().execute(async (transaction) => {
        if (durability === 'process') await sql`set local synchronous_commit = off`.execute(transaction)
        return run(transaction)
      }),
    lock: async (transaction, purpose) => {
      await sql`select pg_advisory_xact_lock(hashtextextended(${`vedette ${purpose}`}, 0))`.execute(transaction)
    },
  }
}
