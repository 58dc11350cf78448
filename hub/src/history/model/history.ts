import type { SeriesKey, SeriesPoints, StoredKind } from '@vedette/protocol/metrics/series'
import type { UnitOfWork } from '../../platform/db/database.ts'
import type { SeriesTable } from './series-table.ts'
import type { Tier, Window } from './tier.ts'

export type HistoryQuery = {
  /** List of the ids of the systems to read; all systems when absent. */
  readonly systems?: readonly string[]
  readonly kind: StoredKind
  readonly tier: Tier
  /** Returns true for the keys of the series to read; absent = all series. */
  readonly isWanted?: (key: SeriesKey) => boolean
  /** Time range to read, half-open and in epoch ms: of sample times, or of bucket starts. */
  readonly window: Window
}

/** Result of a history query for one system. Buckets whose time has not ended yet are left out. */
export type SystemHistory = {
  readonly system: string
  readonly table: SeriesTable
  /** List of warnings, one sentence for each compressed block or sample that could not be read. The table contains all others. */
  readonly warnings: readonly string[]
}

/** Service that reads and writes all stored measurements. Callers depend on this type, never on the storage format. */
export type History = {
  /**
   * Stores samples; call it once per transaction. A sample replaces an earlier one of the same system and time. A time in the future
   * becomes the current time. Late samples update buckets that are already stored.
   */
  readonly append: (unit: UnitOfWork, samples: readonly AppendedSample[]) => Promise<void>
  /** Reads a time range of one tier (resolution: 1 min, 10 min, 2 h). Resolves with the data and warnings of each system that has any. */
  readonly read: (query: HistoryQuery) => Promise<readonly SystemHistory[]>
  /** Resolves to a map from tier (resolution) to the start of its current retention, in epoch ms. Older data may be deleted. */
  readonly keptFrom: () => Promise<Readonly<Record<Tier, number>>>
  /**
   * Does one part of the due maintenance: compresses hours and days into blocks, and deletes data past its retention. Call it every few
   * seconds. `signal` ends it early.
   */
  readonly maintain: (signal?: AbortSignal) => Promise<void>
  /** Resolves with the ids of all systems that have stored history. */
  readonly systems: () => Promise<readonly string[]>
  readonly forget: (systemId: string) => Promise<void>
}

export type AppendedSample = {
  readonly system: string
  readonly atMs: number
  readonly kinds: Readonly<Partial<Record<StoredKind, SeriesPoints>>>
}
