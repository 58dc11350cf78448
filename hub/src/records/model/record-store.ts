import type { Json } from '@vedette/protocol/wire/stats-json'
import type { UnitOfWork } from '../../platform/db/database.ts'
import type { StoredRecord } from './stored-record.ts'

export type RecordValues = { readonly [field: string]: Json }

/**
 * Functions that read and write records in tables, without access checks. Writes run in the transaction `unit`, and their events follow its
 * commit. Reads with `unit` see its uncommitted writes.
 */
export type RecordStore = {
  readonly load: (collection: string, id: string, unit?: UnitOfWork) => Promise<StoredRecord | undefined>
  /**
   * Loads a record, by collection name and id, and locks it until the transaction ends, so that a change never starts from an outdated
   * state. `undefined` if there is none.
   */
  readonly loadToChange: (collection: string, id: string, unit: UnitOfWork) => Promise<StoredRecord | undefined>
  /**
   * Loads records of a collection whose fields equal all given values (`{}`: all records), sorted by `created` (if the collection has this
   * field), then id. With `most`, loads at most that number of such records, in any order, which is faster.
   */
  readonly loadWhere: (collection: string, values: RecordValues, unit?: UnitOfWork, most?: number) => Promise<readonly StoredRecord[]>
  /** Loads the ids of all records of a collection, in order of insertion. */
  readonly loadIds: (collection: string) => Promise<readonly string[]>
  /**
   * Inserts a record into a collection (by name); id, dates and default values are filled in. Emits a create event. Resolves to the stored
   * record.
   */
  readonly insert: (unit: UnitOfWork, collection: string, values: RecordValues) => Promise<StoredRecord>
  /**
   * Changes fields of a stored record (by collection name and id) and emits an update event. Resolves to the changed record, or to
   * `undefined` when it does not exist.
   */
  readonly update: (unit: UnitOfWork, collection: string, id: string, changes: RecordValues) => Promise<StoredRecord | undefined>
  /**
   * Changes fields of several records with few SQL statements; `changes` maps record ids to new values. Emits an event for each record that
   * did not have these values. Missing records are skipped.
   */
  readonly updateEach: (unit: UnitOfWork, collection: string, changes: ReadonlyMap<string, RecordValues>) => Promise<void>
  /**
   * Deletes a record by id, and all records with a cascading relation to it. Other relations lose its id. A required one rejects the
   * deletion with 400.
   */
  readonly remove: (unit: UnitOfWork, collection: string, id: string) => Promise<void>
}
