import type { DatabaseSync } from 'node:sqlite'
import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/db/database.ts'
import type { SecretBox } from '../../platform/secrets/secret-box.ts'
import type { RecordStore } from '../../records/model/record-store.ts'

/** Consistent snapshot of another hub's data. Every row and value in it is untrusted. */
export type ForeignHub = {
  /** Connection to the snapshot, for reading only. */
  readonly database: DatabaseSync
  /** Text of the private SSH key of the other hub, an OpenSSH PEM; `undefined` when its folder has none. */
  readonly privateKey: string | undefined
  /** Text of the other hub's `config.yml`; `undefined` when its folder has none. */
  readonly configYaml: string | undefined
}

/** This hub, into which data is taken over. */
export type TransferTarget = {
  readonly database: Database
  readonly records: RecordStore
  readonly secrets: SecretBox
  readonly clock: Clock
}

/** Reason that some rows were changed or left out, with their number and up to three examples, such as names. */
export type Remark = { readonly reason: string; readonly count: number; readonly examples: readonly string[] }

/** Row of the rehearsal's table: what was found of one kind of data, such as `users`, and what becomes of it. */
export type TransferLine = {
  readonly what: string
  readonly found: number
  readonly taken: number
  /** Number of rows that an earlier import brought, or that this hub has itself. */
  readonly present: number
  readonly changed: readonly Remark[]
  readonly leftOut: readonly Remark[]
}

/** Reports progress: how many of a plan's rows are done. Called often; the receiver limits what it shows. */
export type ReportProgress = (doneRows: number) => void

/** Part of a transfer: what it will do, as lines for the rehearsal, and the function that does it. */
export type TransferPlan = {
  readonly lines: readonly TransferLine[]
  /** Number of rows that `write` handles, as the total for its progress. */
  readonly rows: number
  /** Estimated growth of this hub's database, in bytes. */
  readonly bytes: number
  /**
   * Writes what the plan says, in small transactions. May run again after an interruption and continues. Rejects with the signal's reason
   * when it is aborted.
   */
  readonly write: (progress: ReportProgress, signal: AbortSignal) => Promise<void>
}

export type TransferChoices = {
  /** List of the email addresses of those superusers of the other hub who become admins. */
  readonly admins: readonly string[]
}

/**
 * Plan for all records, with a map from the ids of the other hub's systems to the ids that they have here. `hasAdmin`: this hub will have a
 * verified admin.
 */
export type RecordsPlan = TransferPlan & { readonly systems: ReadonlyMap<string, string>; readonly hasAdmin: boolean }
