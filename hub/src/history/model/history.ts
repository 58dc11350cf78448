import type { SeriesKey, SeriesPoints, StoredKind } from '@vedette/protocol/metrics/series'
import type { UnitOfWork } from '../../platform/db/database.ts'
import type { Stretch } from './stretch.ts'
import type { Tier, Window } from './tier.ts'

export type HistoryQuery = {
  /** Ids; all systems when absent. */
  readonly systems?: readonly string[]
  readonly kind: StoredKind
  readonly tier: Tier
  /** Whether a series is asked for; all are unless it is said. */
  readonly isWanted?: (key: SeriesKey) => boolean
  /** Of samples their times, of buckets their starts. */
  readonly window: Window
}

/** What there is of one system. Buckets that are not over yet are not among it. */
export type SystemHistory = {
  readonly system: string
  readonly stretch: Stretch
  /** What could not be read, in sentences; the rest is there all the same. */
  readonly warnings: readonly string[]
}

/** Everything that was ever measured. A border: how it is stored is the implementation's business. */
export type History = {
  /**
   * Stores the series of all samples of one unit of work; an earlier sample of exactly this system and time is replaced.
   * Samples of the future are stored as of now. Recomputes closed buckets they fall into. Call it once a unit of work.
   */
  readonly append: (unit: UnitOfWork, samples: readonly AppendedSample[]) => Promise<void>
  /** Systems that have anything in the window. */
  readonly read: (query: HistoryQuery) => Promise<readonly SystemHistory[]>
  /** From when on each tier is kept now, epoch milliseconds. */
  readonly keptFrom: () => Promise<Readonly<Record<Tier, number>>>
  /**
   * Does what is due by now, a little of it: seals hours and days, drops what is older than it is kept. Call it every few seconds. Once
   * `signal` is aborted it leaves the rest for another time.
   */
  readonly maintain: (signal?: AbortSignal) => Promise<void>
  /** Ids of all systems that anything is stored of. */
  readonly systems: () => Promise<readonly string[]>
  readonly forget: (systemId: string) => Promise<void>
}

export type AppendedSample = {
  readonly system: string
  readonly atMs: number
  readonly kinds: Readonly<Partial<Record<StoredKind, SeriesPoints>>>
}
