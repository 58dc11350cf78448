import type { RawBuilder } from 'kysely'
import type { Clock } from '../../platform/clock.ts'
import type { Database, UnitOfWork } from '../../platform/db/database.ts'
import type { SecretBox } from '../../platform/secrets/secret-box.ts'
import type { RecordSource } from '../model/record-source.ts'
import type { Collection, Collections, Field, Row } from '../model/collection.ts'
import type { RecordStore, RecordValues } from '../model/record-store.ts'
import type { StoredRecord } from '../model/stored-record.ts'

/** Dependencies of the records API. */
export type Engine = {
  readonly database: Database
  readonly collections: Collections
  readonly store: RecordTableStore
  /** Record sources of collections without a table, by collection name. */
  readonly sources: ReadonlyMap<string, RecordSource>
  readonly secrets: SecretBox
  readonly clock: Clock
  readonly hashPassword: (password: string) => Promise<string>
}

export type RecordChange = {
  /** The record that this unit of work loaded with `loadToChange` or `loadManyToChange`. */
  readonly before: StoredRecord
  /** True when `before` holds only unchanged fields and `values` holds all others. */
  readonly isPartial?: boolean
  readonly values: RecordValues
}

/** The store inside `records/`, with more functions than other folders see. */
export type RecordTableStore = RecordStore & {
  /** Loads the current record and locks it until the unit of work ends, so that a change never builds on an older state. */
  readonly loadToChange: (collection: string, id: string, unit: UnitOfWork) => Promise<StoredRecord | undefined>
  /** Loads records by id, in any order. Missing ids are left out. */
  readonly loadMany: (collection: Collection, ids: readonly string[], unit?: UnitOfWork) => Promise<readonly StoredRecord[]>
  /** Like `loadMany`, and locks the records until the unit of work ends. */
  readonly loadManyToChange: (collection: Collection, ids: readonly string[], unit: UnitOfWork) => Promise<readonly StoredRecord[]>
  /** Inserts records with few statements; see `insert`. */
  readonly insertMany: (unit: UnitOfWork, collection: Collection, values: readonly RecordValues[]) => Promise<void>
  /** Changes records that this unit of work has loaded to change; see `updateMany` in `record-table-store.ts`. */
  readonly updateMany: (unit: UnitOfWork, collection: Collection, changes: readonly RecordChange[]) => Promise<readonly StoredRecord[]>
  /** Records whose relation `field` contains one of `ids`, in the order of insertion. */
  readonly loadReferring: (
    collection: Collection,
    field: Field,
    ids: readonly string[],
    unit?: UnitOfWork,
  ) => Promise<readonly StoredRecord[]>
  /** Records of the table `r` that `rest` selects: `where`, then order and limit. */
  readonly loadSelected: (collection: Collection, rest: RawBuilder<unknown>, unit?: UnitOfWork) => Promise<readonly StoredRecord[]>
  readonly recordsOf: (collection: Collection, rows: readonly Row[]) => readonly StoredRecord[]
  /** Like `loadSelected`, for a client's filter or sort. Runs on a separate connection and rejects after a timeout. */
  readonly loadByQuery: (collection: Collection, rest: RawBuilder<unknown>) => Promise<readonly StoredRecord[]>
}
