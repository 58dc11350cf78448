import { Kysely, PostgresDialect, sql } from 'kysely'
import { Pool, types } from 'pg'
import type { EventBus } from '../events/event-bus.ts'
import type { Log } from '../log.ts'
import { publishCommitted } from './committed-events.ts'
import type { Database } from './database.ts'
import type { Tables } from './schema.ts'
import type { SqlDialect } from './sql-dialect.ts'

const CONNECTIONS = 10
const CONNECT_TIMEOUT_MS = 10_000
const STATEMENT_TIMEOUT_MS = 30_000

const dialect: SqlDialect = {
  jsonText: (column, path) => sql<string | null>`(${column}::jsonb #>> ${`{${path.map((key) => `"${key}"`).join(',')}}`}::text[])`,
}

/** Numbers come back as numbers: int8 (counts, epoch milliseconds) fits a double up to 2^53. */
const parsers = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') => (oid === 20 || oid === 1700 ? Number : types.getTypeParser(oid, format)),
}

/** A PostgreSQL server. Connects when first asked; a lost connection is replaced by the pool. */
export function openPostgres(url: string, bus: EventBus, log: Log): Database {
  const pool = new Pool({
    connectionString: url,
    max: CONNECTIONS,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    application_name: 'vedette',
    // pg's own type asks for an overload per format; this answers both.
    types: parsers as typeof types,
  })
  pool.on('error', (error) => log.warn('idle database connection lost', { error }))
  const kysely = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
  let closing: Promise<void> | undefined
  return {
    name: 'postgres',
    kysely,
    dialect,
    write: (work, durability = 'power') =>
      publishCommitted(
        bus,
        (run) =>
          kysely.transaction().execute(async (transaction) => {
            if (durability === 'process') await sql`set local synchronous_commit = off`.execute(transaction)
            return run(transaction)
          }),
        work,
      ),
    close: () => (closing ??= kysely.destroy()),
  }
}
