import type { DatabaseSync } from 'node:sqlite'
import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/db/database.ts'
import type { SecretBox } from '../../platform/secrets/secret-box.ts'
import type { RecordStore } from '../../records/model/record-store.ts'

/**
 * Opened data of the Beszel hub that an import reads: a consistent snapshot of its database, its SSH key and `config.yml`. Every row and
 * value in it is untrusted.
 */
export type ForeignHub = {
  /** Read-only SQLite connection to this hub's copy of the imported hub's database. */
  readonly database: DatabaseSync
  /** Private SSH key of the imported hub as text (OpenSSH PEM); `undefined` when its folder has none. */
  readonly privateKey: string | undefined
  /** Text of the imported hub's `config.yml`; `undefined` when its folder has none. */
  readonly configYaml: string | undefined
}

/** Services of this hub that an import writes to or needs: database, store of records, secret box (encryption) and clock. */
export type TransferTarget = {
  readonly database: Database
  readonly records: RecordStore
  readonly secrets: SecretBox
  readonly clock: Clock
}

/** Reason why an import or export changes or leaves out some rows. It has their count and up to three examples, such as names. */
export type Remark = { readonly reason: string; readonly count: number; readonly examples: readonly string[] }

/**
 * Row of the table that an import or export prints for one kind of data (`what`), such as `users`. It has numbers of rows: found, taken
 * (imported or exported), already present, changed, and left out.
 */
export type TransferLine = {
  readonly what: string
  readonly found: number
  readonly taken: number
  /**
   * Number of rows of this kind of data that the imported hub has and this hub has already, for example from an earlier import. They are
   * not imported again.
   */
  readonly present: number
  readonly changed: readonly Remark[]
  readonly leftOut: readonly Remark[]
}

/**
 * Function that an import calls with the number of rows done so far in the current part, in order to show its progress. It may be called
 * for every row, because it limits its own output.
 */
export type ReportProgress = (doneRows: number) => void

/**
 * Plan of one part of an import, such as records or history. It has the lines of the preview, and estimates of rows and database growth.
 * `write` imports the part; until then nothing is changed.
 */
export type TransferPlan = {
  readonly lines: readonly TransferLine[]
  /** Number of rows that this part of the import handles in all, also those that it leaves out. Progress is reported against it. */
  readonly rows: number
  /**
   * Estimated number of bytes by which this part of an import makes this hub's database larger. The import compares it with the free disk
   * space.
   */
  readonly bytes: number
  /**
   * Carries out this part of the import in small transactions. After an interruption it can be called again and continues. Rejects with the
   * signal's reason when it is aborted.
   */
  readonly write: (progress: ReportProgress, signal: AbortSignal) => Promise<void>
}

export type TransferChoices = {
  /** Email addresses of those superusers of the imported hub who become admins of this hub. */
  readonly admins: readonly string[]
}

/**
 * Plan for importing all records. `systems` maps the ids of the imported hub's systems to their ids in this hub. `hasAdmin`: this hub will
 * have a verified admin afterwards.
 */
export type RecordsPlan = TransferPlan & { readonly systems: ReadonlyMap<string, string>; readonly hasAdmin: boolean }
