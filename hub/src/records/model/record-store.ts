import type { Json } from '@vedette/protocol/wire/stats-json'
import type { UnitOfWork } from '../../platform/db/database.ts'
import type { StoredRecord } from './stored-record.ts'

export type RecordValues = { readonly [field: string]: Json }

/**
 * Reads and writes records in tables as the hub itself. It checks no access rules; the caller does. Writes run in the caller's unit of
 * work, and their events are sent after its commit. Reads inside a unit of work must pass it: they then see its writes. On the embedded
 * database any other read would wait for its end.
 */
export type RecordStore = {
  readonly load: (collection: string, id: string, unit?: UnitOfWork) => Promise<StoredRecord | undefined>
  /** Records whose fields equal all given values, by `created`, then id. With `most`, at most that many, in any order. */
  readonly loadWhere: (collection: string, values: RecordValues, unit?: UnitOfWork, most?: number) => Promise<readonly StoredRecord[]>
  /** Ids of all records of a collection, in order of creation. Reads no other columns. */
  readonly loadIds: (collection: string) => Promise<readonly string[]>
  /** Fills in `id`, defaults and dates, and returns the stored record. */
  readonly insert: (unit: UnitOfWork, collection: string, values: RecordValues) => Promise<StoredRecord>
  /** Returns the changed record; `undefined` when it does not exist. */
  readonly update: (unit: UnitOfWork, collection: string, id: string, changes: RecordValues) => Promise<StoredRecord | undefined>
  /** Deletes the record and everything that cascades from it. */
  readonly remove: (unit: UnitOfWork, collection: string, id: string) => Promise<void>
}
