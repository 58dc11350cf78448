import type { StoredKind } from '@vedette/protocol/metrics/series'
import type { Backups } from '../operations/backups/backups.ts'
import type { Database } from '../platform/db/database.ts'
import type { ExportFormat } from '../history/read/export.ts'
import type { Tier } from '../history/model/tier.ts'
import type { RecordStore } from '../records/model/record-store.ts'
import type { SecretBox } from '../platform/secrets/secret-box.ts'
import type { Environment } from '../startup/options/options.ts'

/**
 * Error of a command of `vedette` that cannot do its work. Its message, one sentence for the operator, is printed without a stack, and the
 * exit status is 1.
 */
export class CommandRefusedError extends Error {
  override readonly name = 'CommandRefusedError'
}

/**
 * Options of the command `vedette history export`: time range `from` to `to` in epoch ms (`undefined`: no limit) and resolution `tier`.
 * `kind` selects the history of systems or of containers; `undefined` exports both.
 */
export type ExportSettings = {
  readonly from: number | undefined
  readonly to: number | undefined
  readonly tier: Tier
  readonly kind: StoredKind | undefined
  readonly format: ExportFormat
}

/**
 * Input and output of a command of `vedette`: `environment` has the environment variables of its process. `readInput` reads standard input
 * to its end, `say` prints a line.
 */
export type Terminal = {
  readonly environment: Environment
  readonly readInput: () => Promise<string>
  readonly say: (text: string) => void
  /** Writes text to the process's standard output, without adding a line end. Resolves when the output can take more. */
  readonly write: (text: string) => Promise<void>
  readonly complain: (text: string) => void
  /**
   * True when a command's input and output are a terminal, so that a person can answer a question. If false, a command that needs a
   * confirmation fails instead of asking.
   */
  readonly isInteractive: boolean
  /**
   * Prints a question, and resolves to true when the person replies `y` or `yes`. Resolves to false after any other reply and at the end of
   * the input. Rejects when the signal is aborted.
   */
  readonly confirm: (question: string, signal: AbortSignal) => Promise<boolean>
}

export type CommandContext = {
  readonly database: Database
  readonly backups: Backups
  readonly records: RecordStore
  readonly secrets: SecretBox
  /** Reads the hub's private SSH key as PEM text (OpenSSH format). `undefined` if no hub has run on this data directory. */
  readonly readPrivateKey: () => Promise<string | undefined>
  /**
   * List of the command's arguments that are not options, in their order. For `vedette backup verify monday.zip` it is `['monday.zip']`.
   */
  readonly words: readonly string[]
  readonly environment: Environment
  /**
   * Set of the names of this command's own options without a value that the operator gave, such as `--dry-run`. The command tests one with
   * `flags.has('--dry-run')`.
   */
  readonly flags: ReadonlySet<string>
  readonly role: string | undefined
  /** Function that reads the password from standard input. It rejects with a CommandRefusedError without the flag `--password-stdin`. */
  readonly readPassword: () => Promise<string>
  /** Function that reads the optional passphrase from standard input; resolves to `undefined` without the flag `--password-stdin`. */
  readonly readPassphrase: () => Promise<string | undefined>
  readonly say: (text: string) => void
  readonly exporting: ExportSettings
  /** Writes text to the process's standard output without adding a line end. Resolves when the output can take more. */
  readonly write: (text: string) => Promise<void>
  readonly complain: (text: string) => void
}

export type Command = {
  readonly name: readonly string[]
  readonly usage: string
  readonly doc: string
  /**
   * List of the names of options without a value that this command accepts in addition to those of all commands, such as `--dry-run`. Any
   * other option is refused.
   */
  readonly flags?: readonly string[]
  /**
   * True when the command of the command line works on a database of any version, older or newer, and does not upgrade its tables first.
   * Absent: it refuses a database of another version.
   */
  readonly keepsSchema?: true
  /**
   * True when the command of the command line may create a new data directory. Other commands refuse a directory without a database,
   * because it is mostly a mistyped path.
   */
  readonly beginsData?: true
  readonly run: (context: CommandContext) => Promise<void>
}
