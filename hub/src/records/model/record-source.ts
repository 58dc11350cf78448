import type { UnitOfWork } from '../../platform/db/database.ts'
import type { StoredRecord } from './stored-record.ts'

/**
 * Conditions that all requested records satisfy: ids of systems, type, and creation date from and to, inclusive (`YYYY-MM-DD
 * HH:MM:SS.sssZ`). A record source may return more records, so the caller still applies the filter.
 */
export type Narrowing = {
  readonly systems?: readonly string[]
  readonly type?: string
  readonly createdFrom?: string
  readonly createdTo?: string
}

/** Functions that load the records of a collection without a table, such as records built from the history. */
export type RecordSource = {
  readonly load: (narrowing: Narrowing) => Promise<readonly StoredRecord[]>
  /** Loads a record by id; `undefined` if there is none. With `unit` (a transaction) it sees the transaction's changes. */
  readonly loadOne: (id: string, unit?: UnitOfWork) => Promise<StoredRecord | undefined>
}
