import type { Skipped } from '@vedette/protocol/metrics/diagnosis'

/** One moment of measuring. */
export type Tick = {
  /** Monotonic. */
  readonly atMs: number
  /** Who asks, as the cache time of its requests; every consumer has baselines of its own. */
  readonly consumer: number
}

/**
 * Reads one family of values. The answer is `undefined` when this machine has no such thing or it is not known yet;
 * it throws when the machine should have one and the reading failed.
 */
export type Collector<T> = {
  readonly name: string
  readonly collect: (tick: Tick) => T | undefined | Promise<T | undefined>
  /** For the doctor: what the latest reading found, left out and lacked. Cheap: it reads nothing. */
  readonly report?: () => CollectorReport
}

export type CollectorReport = {
  /** In a few words, such as "sda, nvme0n1". */
  readonly found?: string
  readonly skipped?: readonly Skipped[]
  /** One command or setting that would give a missing permission. */
  readonly remedy?: string
}
