import type { StoredKind } from '@vedette/protocol/metrics/series'
import type { Backups } from '../operations/backups/backups.ts'
import type { Database } from '../platform/db/database.ts'
import type { ExportFormat } from '../history/read/export.ts'
import type { Tier } from '../history/model/tier.ts'
import type { RecordStore } from '../records/model/record-store.ts'

/** Why a command was not carried out, in one sentence for the person who gave it. */
export class CommandRefusedError extends Error {
  override readonly name = 'CommandRefusedError'
}

/** What is exported. Times are epoch milliseconds; undefined: everything, both kinds. */
export type Exporting = {
  readonly from: number | undefined
  readonly to: number | undefined
  readonly tier: Tier
  readonly kind: StoredKind | undefined
  readonly format: ExportFormat
}

export type CommandContext = {
  readonly database: Database
  readonly backups: Backups
  readonly records: RecordStore
  /** What follows the command's own words. */
  readonly words: readonly string[]
  readonly role: string | undefined
  /** The password on standard input; refuses when it was not announced. */
  readonly readPassword: () => Promise<string>
  /** The same of what may be left out. */
  readonly readPassphrase: () => Promise<string | undefined>
  readonly say: (text: string) => void
  readonly exporting: Exporting
  /** Text without a line end of its own; resolves when there is room for more. */
  readonly write: (text: string) => Promise<void>
  readonly complain: (text: string) => void
}

export type Command = {
  readonly name: readonly string[]
  readonly usage: string
  readonly doc: string
  readonly run: (context: CommandContext) => Promise<void>
}
