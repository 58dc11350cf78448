import type { SeriesValues, StoredKind } from '@vedette/protocol/metrics/series'
import type { UnitOfWork } from '../db/database.ts'
import type { Bucket } from './rollup.ts'
import type { Tier, Window } from './tier.ts'

/** One point of one system: a sample at its own time, or a bucket at its start (epoch milliseconds). */
export type HistoryPoint = { readonly system: string; readonly atMs: number; readonly bucket: Bucket }

export type HistoryQuery = {
  /** All systems when absent. */
  readonly systems?: readonly string[]
  readonly kind: StoredKind
  readonly tier: Tier
  readonly window: Window
}

/** Everything that was ever measured. A border: how it is stored is the implementation's business. */
export type History = {
  /**
   * Stores the series of all samples of one unit of work; an earlier sample of exactly this system and time is replaced.
   * Recomputes closed buckets they fall into.
   */
  readonly append: (unit: UnitOfWork, samples: readonly AppendedSample[]) => Promise<void>
  /** Points by time, then system. */
  readonly read: (query: HistoryQuery) => Promise<readonly HistoryPoint[]>
  /** Fills the buckets that have closed since the last call and drops what is older than its tier is kept. */
  readonly maintain: () => Promise<void>
  readonly forget: (systemId: string) => Promise<void>
}

export type AppendedSample = {
  readonly system: string
  readonly atMs: number
  readonly kinds: Readonly<Partial<Record<StoredKind, SeriesValues>>>
}
