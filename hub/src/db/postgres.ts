import { Kysely, PostgresDialect, sql } from 'kysely'
import { Pool, types, type CustomTypesConfig } from 'pg'
import type { EventBus } from '../events/event-bus.ts'
import type { Log } from '../log.ts'
import { publishingTo, type Transactions } from './committed-events.ts'
import type { Database, Durability } from './database.ts'
import type { Tables } from './schema.ts'
import { postgresDialect } from './postgres-dialect.ts'

const CONNECTIONS = 10
const CONNECT_TIMEOUT_MS = 10_000
const STATEMENT_TIMEOUT_MS = 30_000

/** Numbers come back as numbers: int8 (counts, epoch milliseconds) fits a double up to 2^53. */
const parsers: CustomTypesConfig = {
  getTypeParser: (oid, format) =>
    oid === types.builtins.INT8 || oid === types.builtins.NUMERIC
      ? Number
      : format === 'binary'
        ? types.getTypeParser(oid, format)
        : types.getTypeParser(oid),
}

/** A PostgreSQL server. Connects when first asked; a lost connection is replaced by the pool. */
export function openPostgres(url: string, bus: EventBus, log: Log): Database {
  const pool = new Pool({
    connectionString: url,
    max: CONNECTIONS,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    application_name: 'vedette',
    types: parsers,
  })
  pool.on('error', (error) => log.warn('idle database connection lost', { error }))
  const kysely = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
  const publishCommitted = publishingTo(bus)
  let closing: Promise<void> | undefined
  return {
    name: 'postgres',
    kysely,
    dialect: postgresDialect,
    write: (work, durability = 'power') => publishCommitted(transactions(kysely, durability), work),
    close: () => (closing ??= kysely.destroy()),
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
