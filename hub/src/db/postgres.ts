import { Kysely, PostgresDialect, sql } from 'kysely'
import { Pool, types, type CustomTypesConfig } from 'pg'
import type { EventBus } from '../events/event-bus.ts'
import type { Log } from '../log.ts'
import { publishingTo, type Transactions } from './committed-events.ts'
import type { Database, Durability } from './database.ts'
import type { Tables } from './schema.ts'
import { postgresDialect } from './postgres-dialect.ts'

const CONNECT_TIMEOUT_MS = 10_000
/** A transaction that waits for its own hub this long is lost; nobody should wait for its locks. */
const IDLE_IN_TRANSACTION_MS = 60_000

/** What is ours may take its time; what a client thought up may not, and cannot take the connections of ingest either. */
const ours = { connections: 10, statementTimeoutMs: 30_000, settings: '' } as const
const askedFor = { connections: 4, statementTimeoutMs: 5_000, settings: '-c default_transaction_read_only=on' } as const

/** Numbers come back as numbers: int8 (counts, epoch milliseconds) fits a double up to 2^53. */
const parsers: CustomTypesConfig = {
  getTypeParser: (oid, format) =>
    oid === types.builtins.INT8 || oid === types.builtins.NUMERIC
      ? Number
      : format === 'binary'
        ? types.getTypeParser(oid, format)
        : types.getTypeParser(oid),
}

/** A PostgreSQL server. Connects when first asked; a lost connection is replaced, and what was asked on it fails as `away`. */
export function openPostgres(url: string, bus: EventBus, log: Log): Database {
  const kysely = openPool(url, ours, log)
  const asked = openPool(url, askedFor, log)
  const publishCommitted = publishingTo(bus)
  let closing: Promise<unknown> | undefined
  return {
    name: 'postgres',
    kysely,
    asked,
    dialect: postgresDialect,
    write: (work, durability = 'power') => publishCommitted(transactions(kysely, durability), work),
    close: async () => {
      await (closing ??= Promise.all([kysely.destroy(), asked.destroy()]))
    },
  }
}

type PoolLimits = { readonly connections: number; readonly statementTimeoutMs: number; readonly settings: string }

function openPool(url: string, { connections, statementTimeoutMs, settings }: PoolLimits, log: Log): Kysely<Tables> {
  const pool = new Pool({
    connectionString: url,
    max: connections,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: statementTimeoutMs,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
    options: settings,
    keepAlive: true,
    application_name: 'vedette',
    types: parsers,
  })
  pool.on('error', (error) => log.warn('idle database connection lost', { error }))
  // One that breaks between two statements of a transaction is told here alone; the next statement fails, not the process.
  pool.on('connect', (client) => client.on('error', (error) => log.warn('database connection lost', { error })))
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
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
