import type { UnitOfWork } from '../../platform/db/database.ts'
import type { StoredRecord } from './stored-record.ts'

/**
 * What is already known of the records asked for: every condition holds for all of them. Dates are
 * `YYYY-MM-DD HH:MM:SS.sssZ` texts and compare as such; both bounds are inclusive. A source may return more than that,
 * never less: the engine checks filter and rule on each record it gets.
 */
export type Narrowing = {
  readonly systems?: readonly string[]
  readonly type?: string
  readonly createdFrom?: string
  readonly createdTo?: string
}

/** A collection whose records are made from something else than a table of its own, such as the history. */
export type RecordSource = {
  readonly load: (narrowing: Narrowing) => Promise<readonly StoredRecord[]>
  /** `unit`: as a unit of work sees it. */
  readonly loadOne: (id: string, unit?: UnitOfWork) => Promise<StoredRecord | undefined>
}
