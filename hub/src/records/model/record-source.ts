import type { UnitOfWork } from '../../platform/db/database.ts'
import type { StoredRecord } from './stored-record.ts'

/**
 * Known conditions on the requested records; all of them hold for each record. Dates are `YYYY-MM-DD HH:MM:SS.sssZ` texts and compare as
 * such; both bounds are inclusive. A source may return more records, never fewer: the engine checks filter and rule on each of them.
 */
export type Narrowing = {
  readonly systems?: readonly string[]
  readonly type?: string
  readonly createdFrom?: string
  readonly createdTo?: string
}

/** The source of a collection without a table of its own, such as one built from the history. */
export type RecordSource = {
  readonly load: (narrowing: Narrowing) => Promise<readonly StoredRecord[]>
  /** With `unit` it sees the changes of that unit of work. */
  readonly loadOne: (id: string, unit?: UnitOfWork) => Promise<StoredRecord | undefined>
}
