import type { SeriesKey, SeriesPoints, StoredKind } from '@vedette/protocol/metrics/series'
import type { UnitOfWork } from '../../platform/db/database.ts'
import type { SeriesTable } from './series-table.ts'
import type { Tier, Window } from './tier.ts'

export type HistoryQuery = {
  /** Part of a history query: ids of the systems whose history is read. Absent: the history of all systems is read. */
  readonly systems?: readonly string[]
  readonly kind: StoredKind
  readonly tier: Tier
  /**
   * Part of a history query: function that selects series by their keys, true for a series to read. Absent: all series of the query's kind
   * (system or containers).
   */
  readonly isWanted?: (key: SeriesKey) => boolean
  /** Time range to read, `[fromMs, toMs)` in epoch ms. It selects samples by their time, and buckets (10 min or 2 h) by their start. */
  readonly window: Window
}

/**
 * Result of a history query for one system: its id, a table of series, and warnings. A bucket (average of 10 min or 2 h) that has not ended
 * yet is left out.
 */
export type SystemHistory = {
  readonly system: string
  readonly table: SeriesTable
  /**
   * Sentences about compressed blocks or samples that could not be read, one each; empty if all could. The result has the data of all other
   * blocks and samples.
   */
  readonly warnings: readonly string[]
}

/**
 * Service that stores and reads all measurements of systems over time, by system, series, time range and resolution. It hides the storage
 * format from the rest of the hub.
 */
export type History = {
  /**
   * Stores samples in the transaction; call it once per transaction. A sample replaces an earlier one of the same system and time. A time
   * in the future becomes now; NaN and infinite values are left out. A late sample also updates the stored averages (10 min, 2 h) that
   * contain its time.
   */
  readonly append: (unit: UnitOfWork, samples: readonly AppendedSample[]) => Promise<void>
  /**
   * Reads a time range of one tier (resolution: 1 min, 10 min, 2 h). Resolves to a list with the data and warnings of each system that has
   * any. Rejects with `QuestionTooSlowError` if the data of several systems would exceed about 300 MB compressed.
   */
  readonly read: (query: HistoryQuery) => Promise<readonly SystemHistory[]>
  /**
   * Resolves to a map from tier (resolution) to the start of its current retention, in epoch ms. Data from before it may be deleted at any
   * time.
   */
  readonly keptFrom: () => Promise<Readonly<Record<Tier, number>>>
  /**
   * Does one small step of maintenance, of at most 50 systems: compresses their ended hours and days into blocks, and deletes data past its
   * retention. It must be called every few seconds. The abort signal ends the step early.
   */
  readonly maintain: (signal?: AbortSignal) => Promise<void>
  /** Resolves to the ids of all systems that have stored history. */
  readonly systems: () => Promise<readonly string[]>
  readonly forget: (systemId: string) => Promise<void>
  /**
   * Stores past data of one system and kind (system or containers), such as from an import, in one transaction. Stored data of the same
   * times before `untilMs` stays. A power cut may undo it until {@link History.secure} resolves.
   */
  readonly storePast: (past: PastHistory) => Promise<void>
  /**
   * Resolves once all history stored so far is flushed to disk, so that a power cut cannot lose it. Call it after {@link
   * History.storePast}.
   */
  readonly secure: () => Promise<void>
}

/**
 * Past data of one system and kind (system or containers) to store, such as from another hub, as one table per resolution. Times in a table
 * are unique. `untilMs` is a full hour (epoch ms) some minutes ago: buckets end by then, samples may be later.
 */
export type PastHistory = {
  readonly system: string
  readonly kind: StoredKind
  readonly untilMs: number
  readonly samples: SeriesTable
  readonly tens: SeriesTable
  readonly hours: SeriesTable
}

export type AppendedSample = {
  readonly system: string
  readonly atMs: number
  readonly kinds: Readonly<Partial<Record<StoredKind, SeriesPoints>>>
}
