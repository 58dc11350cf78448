import type { RawBuilder } from 'kysely'
import type { UnitOfWork } from '../../platform/db/database.ts'
import type { Collection, Field } from '../model/collection.ts'
import type { Row } from '../model/record-row.ts'
import type { RecordStore, RecordValues } from '../model/record-store.ts'
import type { StoredRecord } from '../model/stored-record.ts'

/** A change of one record. */
export type RecordChange = {
  /** The record as this unit of work loaded it to change it. */
  readonly before: StoredRecord
  /** `before` has only fields that stay as they are; `values` are all the others. */
  readonly isPartial?: boolean
  readonly values: RecordValues
}

/** What `records/` needs beyond the store that others see. */
export type RecordTableStore = RecordStore & {
  /** The record as it is now and stays for everybody else until the unit of work ends; what follows from it is never of an older state. */
  readonly loadToChange: (collection: string, id: string, unit: UnitOfWork) => Promise<StoredRecord | undefined>
  /** In no particular order; ids that do not exist are left out. */
  readonly loadMany: (collection: Collection, ids: readonly string[], unit?: UnitOfWork) => Promise<readonly StoredRecord[]>
  /** The same as they stay for everybody else until the unit of work ends. */
  readonly loadManyToChange: (collection: Collection, ids: readonly string[], unit: UnitOfWork) => Promise<readonly StoredRecord[]>
  /** Changes records that this unit of work has loaded to change; see `update-many.ts`. */
  readonly updateMany: (unit: UnitOfWork, collection: Collection, changes: readonly RecordChange[]) => Promise<readonly StoredRecord[]>
  /** Records whose relation `field` names one of `ids`, in the order of insertion. */
  readonly loadReferring: (
    collection: Collection,
    field: Field,
    ids: readonly string[],
    unit?: UnitOfWork,
  ) => Promise<readonly StoredRecord[]>
  /** Records a condition on the table `r` selects, with what follows it (order, limit). */
  readonly loadSelected: (collection: Collection, rest: RawBuilder<unknown>, unit?: UnitOfWork) => Promise<readonly StoredRecord[]>
  readonly recordsOf: (collection: Collection, rows: readonly Row[]) => readonly StoredRecord[]
  /** The same for a condition or an order that a client thought up, where it holds up nobody. Rejects when it takes too long. */
  readonly loadByQuery: (collection: Collection, rest: RawBuilder<unknown>) => Promise<readonly StoredRecord[]>
}
