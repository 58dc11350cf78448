import type { EventBus, RecordEvent } from '../events/event-bus.ts'
import type { Log } from '../log.ts'
import type { Tables } from './schema.ts'
import type { SqlDialect } from './sql-dialect.ts'
import type { Kysely, Transaction } from 'kysely'

/**
 * Handle of one open database transaction: `sql` runs queries, `emit` queues record events. Events are published after the commit, in
 * order; a rollback drops them.
 */
export type UnitOfWork = {
  readonly sql: Transaction<Tables>
  readonly emit: (event: RecordEvent) => void
  /**
   * Takes a database lock by its name, such as `migrate`, and holds it until the transaction ends. Waits for transactions of any hub that
   * hold the lock of that name.
   */
  readonly alone: (purpose: string) => Promise<void>
}

/**
 * Name of the durability level of a commit. `power`: survives a power cut; for data that the hub confirms to a user as saved. `process`:
 * survives a crash of the process, but a power cut may lose the last second; for samples.
 */
export type Durability = 'power' | 'process'

export type Database = {
  readonly name: 'sqlite' | 'postgres'
  /** Query builder (Kysely) for reading committed data. On SQLite this connection cannot write. */
  readonly kysely: Kysely<Tables>
  /**
   * Query builder for client-supplied queries, on separate connections with a timeout. {@link databaseFailure} reports that timeout as "too
   * slow".
   */
  readonly queries: Kysely<Tables>
  /** Builders of SQL expressions that differ between SQLite and PostgreSQL. */
  readonly dialect: SqlDialect
  /**
   * Runs `work` in a transaction and resolves with its result; on SQLite one transaction runs at a time. Read through `unit.sql` inside
   * `work`: `kysely` does not see the transaction. Rethrows the error of `work` after the rollback. A `power` write that waits too long in
   * the queue rejects without being started; {@link databaseFailure} reports that as "away".
   */
  readonly write: <T>(work: (unit: UnitOfWork) => Promise<T>, durability?: Durability) => Promise<T>
  readonly close: () => Promise<void>
}

/** Function that stores the record events of a transaction for other hubs. Called within the transaction, before its commit. */
export type JournalEvents = (sql: Transaction<Tables>, events: readonly RecordEvent[]) => Promise<void>

/** Limits of the connections to a PostgreSQL database: their numbers, and timeouts in ms. */
export type PostgresLimits = {
  readonly connections: number
  /** Number of additional connections for client-supplied queries. */
  readonly queryConnections: number
  /** Timeout for establishing a PostgreSQL connection, in ms. */
  readonly connectMs: number
  /** Timeout of one of the hub's own SQL statements on PostgreSQL, in ms. */
  readonly statementMs: number
  /** Timeout of a PostgreSQL statement that waits for a lock, in ms. */
  readonly lockMs: number
}

export type PostgresAddress = {
  /** Connection URL of PostgreSQL: `postgres://user:password@host/database`. */
  readonly url: string
  /** URL of the same database through a pooler in transaction mode, such as PgBouncer. If present, statements use it. */
  readonly poolerUrl?: string | undefined
  readonly limits?: Partial<PostgresLimits>
}

export type DatabaseOptions = {
  /** PostgreSQL address, or the directory of the SQLite file, which may not exist yet. */
  readonly at: PostgresAddress | { readonly directory: string }
  readonly bus: EventBus
  readonly log: Log
  /** Maximum time that a `power` write waits in SQLite's write queue, in ms. */
  readonly writeWaitMs?: number | undefined
  /** Stores record events for other hubs. PostgreSQL only; `undefined` for a single hub. */
  readonly journal?: JournalEvents | undefined
  /**
   * True for one of several hubs. The hub may then use a database that a newer version has upgraded, if all newer migrations only added
   * something.
   */
  readonly isShared?: boolean | undefined
  /**
   * Called before any change to the database, with the database's id (`undefined` for a new database). Throws to leave the database
   * unchanged.
   */
  readonly admit?: (instance: string | undefined) => void
}

/** Thrown when the hub cannot use its database. The message is one sentence for the operator. */
export class DatabaseUnusableError extends Error {
  override readonly name = 'DatabaseUnusableError'
}
