import type { EventBus, RecordEvent } from '../events/event-bus.ts'
import type { Log } from '../log.ts'
import type { Tables } from './schema.ts'
import type { SqlDialect } from './sql-dialect.ts'
import type { Kysely, Transaction } from 'kysely'

/**
 * Handle of one open database transaction: `sql` is its Kysely query builder, `emit` queues record events. Events are published after the
 * commit, in order; a rollback drops them.
 */
export type UnitOfWork = {
  readonly sql: Transaction<Tables>
  readonly emit: (event: RecordEvent) => void
  /**
   * Takes the exclusive database lock named `purpose`, such as `migrate`, until the transaction ends. Waits while a transaction of any hub
   * has it.
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
   * Query builder (Kysely) for queries whose filter or sort comes from a client. They run on separate connections and reject after a
   * timeout; {@link databaseFailure} returns "too slow" for it.
   */
  readonly queries: Kysely<Tables>
  /** Functions that build SQL expressions in which SQLite and PostgreSQL differ, such as reading JSON, for this database. */
  readonly dialect: SqlDialect
  /**
   * Runs `work` in a transaction and resolves to its result; rethrows its error after the rollback. Inside, query with `unit.sql`, because
   * `kysely` does not see the transaction. On SQLite with the durability `power`, it rejects with {@link WriteQueueLateError} after waiting
   * too long in the write queue.
   */
  readonly write: <T>(work: (unit: UnitOfWork) => Promise<T>, durability?: Durability) => Promise<T>
  readonly close: () => Promise<void>
}

/** Function that stores the record events of a transaction for other hubs. It is called within that transaction, before its commit. */
export type JournalEvents = (sql: Transaction<Tables>, events: readonly RecordEvent[]) => Promise<void>

/** Limits for a PostgreSQL database: maximum numbers of connections in the pools, and timeouts in ms. */
export type PostgresLimits = {
  readonly connections: number
  /** Number of additional PostgreSQL connections for queries whose filter or sort comes from a client. */
  readonly queryConnections: number
  /** Time in ms within which a PostgreSQL connection must be established; after it the attempt fails. */
  readonly connectMs: number
  /**
   * Timeout of one of the hub's own SQL statements on PostgreSQL, in ms. Queries whose filter or sort comes from a client have a shorter
   * one.
   */
  readonly statementMs: number
  /** Timeout of a PostgreSQL statement that waits for a lock of another transaction, in ms. */
  readonly lockMs: number
}

export type PostgresAddress = {
  /** Connection URL of the hub's PostgreSQL database, such as `postgres://user:password@host/database`. */
  readonly url: string
  /**
   * URL of the same PostgreSQL database through a pooler in transaction mode, such as PgBouncer. If present, statements use it; if absent,
   * they use `url`.
   */
  readonly poolerUrl?: string | undefined
  readonly limits?: Partial<PostgresLimits>
}

/** Backup of a database that was made before its upgrade: the `path` of the file, and `discard`, which deletes it. */
export type UpgradeCopy = {
  /** Path of the file with the backup of the database that was made before an upgrade. */
  readonly path: string
  readonly discard: () => Promise<void>
}

/**
 * Async function that backs up an existing database before missing migrations run. Rejects with {@link DatabaseUnusableError} when there
 * must be no upgrade; resolves to `undefined` when no backup is to be made.
 */
export type BeforeUpgrade = (database: Database) => Promise<UpgradeCopy | undefined>

export type DatabaseOptions = {
  /**
   * Location of the hub's database: the address of a PostgreSQL database, or `{ directory }`, the directory of the SQLite file. The
   * directory may not exist yet.
   */
  readonly at: PostgresAddress | { readonly directory: string }
  readonly bus: EventBus
  readonly log: Log
  /** Maximum time, in ms, that a write that must survive a power cut (`power`) waits in SQLite's queue of writes; 30,000 by default. */
  readonly writeWaitMs?: number | undefined
  /**
   * Async function that stores record events for other hubs, called within their transaction before its commit. PostgreSQL only;
   * `undefined` for a single hub.
   */
  readonly journal?: JournalEvents | undefined
  /**
   * True for one of several hubs. It may then use a database that a newer version has upgraded, if the newer migrations removed nothing.
   * False by default.
   */
  readonly isShared?: boolean | undefined
  /**
   * Function that is called with the database's id before the hub changes the database; `undefined` for a new one. It throws an error if
   * this hub must not use it, such as a wrong data directory.
   */
  readonly admit?: (instance: string | undefined) => void
  /** Called before an existing database is upgraded, to make a backup of it. Absent: none is made. */
  readonly beforeUpgrade?: BeforeUpgrade | undefined
  /** True to use the tables of an existing database as they are, of an older or newer version, without an upgrade. False by default. */
  readonly keepsSchema?: boolean | undefined
}

/** Thrown when the hub cannot use its database. The message is one sentence for the operator. */
export class DatabaseUnusableError extends Error {
  override readonly name = 'DatabaseUnusableError'
}
