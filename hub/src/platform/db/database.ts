import type { EventBus, RecordEvent } from '../events/event-bus.ts'
import type { Log } from '../log.ts'
import type { Tables } from './schema.ts'
import type { SqlDialect } from './sql-dialect.ts'
import type { Kysely, Transaction } from 'kysely'

/** One transaction. Emitted events are published after the commit, in order; a rollback publishes none. */
export type UnitOfWork = {
  readonly sql: Transaction<Tables>
  readonly emit: (event: RecordEvent) => void
  /** Waits until no other transaction with this purpose is open, on any hub. For decisions about many rows at once. */
  readonly alone: (purpose: string) => Promise<void>
}

/**
 * Durability of a commit. Both values survive the death of the process. `power` also survives a power cut; it is for data that a user
 * was told is saved. `process` may lose the last second then; it is for samples.
 */
export type Durability = 'power' | 'process'

export type Database = {
  readonly name: 'sqlite' | 'postgres'
  /** Reads committed data. On SQLite this connection cannot write. */
  readonly kysely: Kysely<Tables>
  /** Connections with a timeout for client-supplied queries. {@link databaseFailure} reports that timeout as "too slow". */
  readonly queries: Kysely<Tables>
  /** SQL expressions that differ between the databases. */
  readonly dialect: SqlDialect
  /**
   * Runs `work` in a transaction; on SQLite they run one after the other. Inside, read through `unit.sql`: `kysely` does not see the
   * transaction. Rethrows the error of `work` after the rollback. A `power` write that waits too long is never started and rejects;
   * {@link databaseFailure} reports that as "away". A started one always runs to its end.
   */
  readonly write: <T>(work: (unit: UnitOfWork) => Promise<T>, durability?: Durability) => Promise<T>
  readonly close: () => Promise<void>
}

/** Stores the events of a transaction before its commit, for other hubs. */
export type JournalEvents = (sql: Transaction<Tables>, events: readonly RecordEvent[]) => Promise<void>

/** Limits of the connections to PostgreSQL. Times are in milliseconds. */
export type PostgresLimits = {
  readonly connections: number
  /** Further connections, for queries of users. */
  readonly queryConnections: number
  /** Timeout until a connection is ready. */
  readonly connectMs: number
  /** Timeout of one of the hub's own statements. */
  readonly statementMs: number
  /** Timeout of a statement that waits for a lock. */
  readonly lockMs: number
}

export type PostgresAddress = {
  /** `postgres://…` */
  readonly url: string
  /** The same database through a pooler in transaction mode, such as PgBouncer. */
  readonly poolerUrl?: string | undefined
  readonly limits?: Partial<PostgresLimits>
}

export type DatabaseOptions = {
  /** A PostgreSQL database, or the folder of the SQLite database, which may not exist yet. */
  readonly at: PostgresAddress | { readonly directory: string }
  readonly bus: EventBus
  readonly log: Log
  /** Maximum milliseconds that a `power` write waits in SQLite's write queue. */
  readonly writeWaitMs?: number | undefined
  /** PostgreSQL only. A single hub has none. */
  readonly journal?: JournalEvents | undefined
  /** True for one of several hubs: it may use a database that a newer version has upgraded, if that only added something. */
  readonly isShared?: boolean | undefined
  /** Called before any change, with the id of the database (`undefined` for a new one). It throws to leave the database unchanged. */
  readonly admit?: (instance: string | undefined) => void
}

/** Thrown when a database cannot be used. The message is one sentence for the operator. */
export class DatabaseUnusableError extends Error {
  override readonly name = 'DatabaseUnusableError'
}
