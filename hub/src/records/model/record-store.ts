import type { Json } from '@vedette/protocol/wire/stats-json'
import type { UnitOfWork } from '../../platform/db/database.ts'
import type { StoredRecord } from './stored-record.ts'

export type RecordValues = { readonly [field: string]: Json }

/**
 * Records of the collections that have tables, read and written as the hub itself: no access rule is asked, whoever calls
 * has decided. Writes run in the caller's unit of work; their events leave after its commit. Reads inside a unit of work
 * must name it: they see its writes, and on the embedded database any other read would wait for its end.
 */
export type RecordStore = {
  readonly load: (collection: string, id: string, unit?: UnitOfWork) => Promise<StoredRecord | undefined>
  /** Records whose fields equal all the given values, by `created`, then id; with `most`, any so many of them. */
  readonly loadWhere: (collection: string, values: RecordValues, unit?: UnitOfWork, most?: number) => Promise<readonly StoredRecord[]>
  /** The ids of all of a collection's records, in the order they were made; reads nothing else of them. */
  readonly loadIds: (collection: string) => Promise<readonly string[]>
  /** Fills `id`, defaults and dates. */
  readonly insert: (unit: UnitOfWork, collection: string, values: RecordValues) => Promise<StoredRecord>
  /** `undefined` when the record is gone. */
  readonly update: (unit: UnitOfWork, collection: string, id: string, changes: RecordValues) => Promise<StoredRecord | undefined>
  /** Deletes with everything that cascades. */
  readonly remove: (unit: UnitOfWork, collection: string, id: string) => Promise<void>
}
