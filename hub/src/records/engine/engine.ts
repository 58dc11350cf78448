import type { RawBuilder } from 'kysely'
import type { Clock } from '../../platform/clock.ts'
import type { Database, UnitOfWork } from '../../platform/db/database.ts'
import type { SecretBox } from '../../platform/secrets/secret-box.ts'
import type { RecordSource } from '../model/record-source.ts'
import type { Collection, Collections, Field, Row } from '../model/collection.ts'
import type { RecordStore, RecordValues } from '../model/record-store.ts'
import type { StoredRecord } from '../model/stored-record.ts'

/**
 * Services on which the records API is built: database, collections, record store, encryption, clock and password hashing. `sources` build
 * the records of collections without a table.
 */
export type Engine = {
  readonly database: Database
  readonly collections: Collections
  readonly store: RecordTableStore
  /** Map from the name of a collection without a table, such as `system_stats`, to the functions that load its records. */
  readonly sources: ReadonlyMap<string, RecordSource>
  readonly secrets: SecretBox
  readonly clock: Clock
  readonly hashPassword: (password: string) => Promise<string>
}

export type RecordChange = {
  /**
   * Stored record, with its id, to which `updateMany` applies the new `values`. The same transaction must have loaded it with a lock
   * (`loadToChange` or `loadManyToChange`).
   */
  readonly before: StoredRecord
  /**
   * In a change for `updateMany`: true when `before` lacks some fields of the stored record. The update event then has no previous record.
   * Absent: `before` has all fields.
   */
  readonly isPartial?: boolean
  readonly values: RecordValues
}

/** Record store with additional functions for code inside the records API: loading with a lock, by ids, by SQL, or by a client's query. */
export type RecordTableStore = RecordStore & {
  /** Loads records of a collection by id, in any order. Missing records are skipped. With `unit`, it sees that transaction's changes. */
  readonly loadMany: (collection: Collection, ids: readonly string[], unit?: UnitOfWork) => Promise<readonly StoredRecord[]>
  /** Loads records of a collection by id, in any order, and locks them until the transaction ends. Missing records are skipped. */
  readonly loadManyToChange: (collection: Collection, ids: readonly string[], unit: UnitOfWork) => Promise<readonly StoredRecord[]>
  /** Inserts many records with few SQL statements. Fills in ids and defaults and emits a create event for each, like `insert`. */
  readonly insertMany: (unit: UnitOfWork, collection: Collection, values: readonly RecordValues[]) => Promise<void>
  /**
   * Updates many records of a collection. Each of `changes` has the record `before`, loaded with a lock in this transaction, and new
   * `values`. Resolves to the changed records and emits an update event for each, even if its values were the same.
   */
  readonly updateMany: (unit: UnitOfWork, collection: Collection, changes: readonly RecordChange[]) => Promise<readonly StoredRecord[]>
  /**
   * Loads those records of the collection whose relation field `field` contains one of the `ids`. They are in order of insertion; for a
   * field with several ids, only within each batch of 500 `ids`.
   */
  readonly loadReferring: (
    collection: Collection,
    field: Field,
    ids: readonly string[],
    unit?: UnitOfWork,
  ) => Promise<readonly StoredRecord[]>
  /**
   * Loads records of a collection by SQL: `rest` follows `from TABLE as r`, such as `where r.system = …` with order and limit. With `unit`,
   * it sees that transaction's changes.
   */
  readonly loadSelected: (collection: Collection, rest: RawBuilder<unknown>, unit?: UnitOfWork) => Promise<readonly StoredRecord[]>
  readonly recordsOf: (collection: Collection, rows: readonly Row[]) => readonly StoredRecord[]
  /**
   * Loads records of a collection by a condition or order from a client. `rest` is the SQL after `from TABLE as r`. Runs on a separate
   * connection and rejects after a timeout.
   */
  readonly loadByQuery: (collection: Collection, rest: RawBuilder<unknown>) => Promise<readonly StoredRecord[]>
}
