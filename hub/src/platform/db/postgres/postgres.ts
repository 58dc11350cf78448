import { Kysely, PostgresDialect, sql, type PostgresPool, type PostgresPoolClient } from 'kysely'
import { Pool, types, type CustomTypesConfig } from 'pg'
import type { EventBus } from '../../events/event-bus.ts'
import type { Log } from '../../log.ts'
import { publishingTo, type Transactions } from '../committed-events.ts'
import { isUnanswered } from '../database-failures.ts'
import type { Database, Durability } from '../database.ts'
import type { Tables } from '../schema.ts'
import { postgresDialect } from './postgres-dialect.ts'

const CONNECT_TIMEOUT_MS = 10_000
/** A transaction that waits for its own hub this long is lost; nobody should wait for its locks. */
const IDLE_IN_TRANSACTION_MS = 60_000

/** What is ours may take its time; what a client thought up may not, and cannot take the connections of ingest either. */
const ours = { connections: 10, statementTimeoutMs: 30_000, settings: '' } as const
const QUERY_POOL = { connections: 4, statementTimeoutMs: 5_000, settings: '-c default_transaction_read_only=on' } as const

/** The server ends a statement by itself. One that is still unanswered so much later is on a connection that is dead. */
const UNANSWERED_MS = 5_000

/** Numbers come back as numbers: int8 (counts, epoch milliseconds) fits a double up to 2^53. */
const parsers: CustomTypesConfig = {
  getTypeParser: (oid, format) =>
    oid === types.builtins.INT8 || oid === types.builtins.NUMERIC
      ? Number
      : format === 'binary'
        ? types.getTypeParser(oid, format)
        : types.getTypeParser(oid),
}

/** A PostgreSQL server. Connects at the first query. A lost connection is replaced; its queries fail as `away`. */
export function openPostgres(url: string, bus: EventBus, log: Log, unansweredMs = UNANSWERED_MS): Database {
  const kysely = openPool(url, { ...ours, unansweredMs }, log)
  const queries = openPool(url, { ...QUERY_POOL, unansweredMs }, log)
  const publishCommitted = publishingTo(bus)
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

type PoolLimits = {
  readonly connections: number
  readonly statementTimeoutMs: number
  readonly settings: string
  readonly unansweredMs: number
}

function openPool(url: string, { connections, statementTimeoutMs, settings, unansweredMs }: PoolLimits, log: Log): Kysely<Tables> {
  const pool = new Pool({
    connectionString: url,
    max: connections,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: statementTimeoutMs,
    query_timeout: statementTimeoutMs + unansweredMs,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
    options: settings,
    keepAlive: true,
    application_name: 'vedette',
    types: parsers,
  })
  pool.on('error', (error) => log.warn('idle database connection lost', { error }))
  // One that breaks between two statements of a transaction is told here alone; the next statement fails, not the process.
  pool.on('connect', (client) => client.on('error', (error) => log.warn('database connection lost', { error })))
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool: withoutStuck(pool) }) })
}

/** Drops connections on which a query was never answered: their transaction may still be open. */
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
      // Nothing is read through a cursor, which is the other overload; the rows are what the statement asked for.
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
