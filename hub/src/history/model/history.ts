import type { SeriesKey, SeriesPoints, StoredKind } from '@vedette/protocol/metrics/series'
import type { UnitOfWork } from '../../platform/db/database.ts'
import type { SeriesTable } from './series-table.ts'
import type { Tier, Window } from './tier.ts'

export type HistoryQuery = {
  /** System ids; all systems when absent. */
  readonly systems?: readonly string[]
  readonly kind: StoredKind
  readonly tier: Tier
  /** Selects series; all series when absent. */
  readonly isWanted?: (key: SeriesKey) => boolean
  /** Time range of sample times, or of bucket starts. */
  readonly window: Window
}

/** The result for one system. Buckets that have not ended yet are left out. */
export type SystemHistory = {
  readonly system: string
  readonly table: SeriesTable
  /** One sentence for each block or sample that could not be read. The result contains all others. */
  readonly warnings: readonly string[]
}

/** Reads and writes all measurements. Callers depend on this type, never on the storage format. */
export type History = {
  /**
   * Stores all samples of one unit of work; call it once per unit of work. A sample replaces an earlier one of the same system and time. A
   * sample from the future is stored with the current time. Late samples update the buckets that are already closed.
   */
  readonly append: (unit: UnitOfWork, samples: readonly AppendedSample[]) => Promise<void>
  /** Returns the systems that have data or warnings in the window. */
  readonly read: (query: HistoryQuery) => Promise<readonly SystemHistory[]>
  /** Start of the retention of each tier at this moment, epoch milliseconds. */
  readonly keptFrom: () => Promise<Readonly<Record<Tier, number>>>
  /**
   * Does a part of the due work: seals hours and days, deletes data past its retention. Call it every few seconds. Once `signal` is aborted
   * it leaves the rest for the next call.
   */
  readonly maintain: (signal?: AbortSignal) => Promise<void>
  /** Ids of all systems that have stored history. */
  readonly systems: () => Promise<readonly string[]>
  readonly forget: (systemId: string) => Promise<void>
}

export type AppendedSample = {
  readonly system: string
  readonly atMs: number
  readonly kinds: Readonly<Partial<Record<StoredKind, SeriesPoints>>>
}
