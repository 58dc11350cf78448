import type { Skipped } from '@vedette/protocol/metrics/diagnosis'

/** One sampling of all collectors for one consumer. */
export type Tick = {
  /** Monotonic. */
  readonly atMs: number
  /** Identifies the consumer: the cache time of its requests, in ms. Every consumer has its own baselines. */
  readonly consumer: number
}

/**
 * Reads one family of values. Returns `undefined` when this machine has no such thing or the value is not known yet;
 * throws when the machine should have it and the reading failed.
 */
export type Collector<T> = {
  readonly name: string
  readonly collect: (tick: Tick) => T | undefined | Promise<T | undefined>
  /** For the `doctor` command: findings, omissions and missing permissions of the latest reading. Cheap: it reads nothing. */
  readonly report?: () => CollectorReport
}

export type CollectorReport = {
  /** In a few words, such as "sda, nvme0n1". */
  readonly found?: string
  readonly skipped?: readonly Skipped[]
  /** One command or setting that would give a missing permission. */
  readonly remedy?: string
}
