import type { Database } from '../db/database.ts'
import type { RecordStore } from '../records/record-store.ts'

/** Why a command was not carried out, in one sentence for the person who gave it. */
export class CommandRefusedError extends Error {
  override readonly name = 'CommandRefusedError'
}

export type CommandContext = {
  readonly database: Database
  readonly records: RecordStore
  /** What follows the command's own words. */
  readonly words: readonly string[]
  readonly role: string | undefined
  /** The password on standard input; refuses when it was not announced. */
  readonly readPassword: () => Promise<string>
  readonly say: (text: string) => void
}

export type Command = {
  readonly name: readonly string[]
  readonly usage: string
  readonly doc: string
  readonly run: (context: CommandContext) => Promise<void>
}
