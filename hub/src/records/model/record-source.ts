import type { UnitOfWork } from '../../platform/db/database.ts'
import type { StoredRecord } from './stored-record.ts'

/**
 * Conditions for loading records of a collection without a table: system ids, field `type` (such as `1m`), and inclusive bounds of the
 * creation date (a record date). The source may return more records; the caller filters them.
 */
export type Narrowing = {
  readonly systems?: readonly string[]
  readonly type?: string
  readonly createdFrom?: string
  readonly createdTo?: string
}

/** Functions that load the records of a collection without a table, such as `system_stats`, whose records are built from the history. */
export type RecordSource = {
  readonly load: (narrowing: Narrowing) => Promise<readonly StoredRecord[]>
  /**
   * Loads the record with this id from a collection without a table; `undefined` if there is none. With `unit` (a transaction) it sees the
   * transaction's changes.
   */
  readonly loadOne: (id: string, unit?: UnitOfWork) => Promise<StoredRecord | undefined>
}
