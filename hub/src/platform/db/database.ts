import type { EventBus, RecordEvent } from '../events/event-bus.ts'
import type { Log } from '../log.ts'
import type { Tables } from './schema.ts'
import type { SqlDialect } from './sql-dialect.ts'
import type { Kysely, Transaction } from 'kysely'

/** One transaction. What is emitted leaves on the bus after the commit, in this order; after a rollback nothing does. */
export type UnitOfWork = {
  readonly sql: Transaction<Tables>
  readonly emit: (event: RecordEvent) => void
  /** Waits until no other unit of work that asked for the same purpose is open, on any hub; for decisions about many rows at once. */
  readonly alone: (purpose: string) => Promise<void>
}

/**
 * What a commit survives. Both survive the death of the process. `power` also survives a power cut: for what a person was
 * told is saved. `process` may lose the last second then: for samples.
 */
export type Durability = 'power' | 'process'

export type Database = {
  readonly name: 'sqlite' | 'postgres'
  /** For reading what is committed. On SQLite this is a connection that cannot write. */
  readonly kysely: Kysely<Tables>
  /** For client-supplied queries: separate connections with a timeout, for which {@link databaseFailure} says "too slow". */
  readonly queries: Kysely<Tables>
  /** The SQL of this database for expressions that differ. */
  readonly dialect: SqlDialect
  /**
   * Runs `work` in a transaction, on SQLite one after the other. Inside, read through `unit.sql`: `kysely` does not see the
   * transaction. Rejects with what `work` threw, after the rollback. One of `power` that waits too long for its turn rejects with
   * what {@link databaseFailure} calls away, and is never begun; one that has begun is never given up.
   */
  readonly write: <T>(work: (unit: UnitOfWork) => Promise<T>, durability?: Durability) => Promise<T>
  readonly close: () => Promise<void>
}

export type DatabaseOptions = {
  /** `postgres://…`, or the folder that holds (or will hold) the embedded database. */
  readonly at: { readonly url: string } | { readonly directory: string }
  readonly bus: EventBus
  readonly log: Log
  /** How long a write of `power` waits for its turn in the embedded database, in milliseconds. */
  readonly writeWaitMs?: number | undefined
  /**
   * Called before anything is changed, with the id the database was given at its first start (undefined for a new one);
   * throws to leave it as it is.
   */
  readonly admit?: (instance: string | undefined) => void
}

/** Why a database cannot be used, in one sentence for the operator. */
export class DatabaseUnusableError extends Error {
  override readonly name = 'DatabaseUnusableError'
}
