import type { Skipped } from '@vedette/protocol/metrics/diagnosis'

/** Sampling of all collectors at one moment, for one consumer. */
export type Tick = {
  /** Monotonic time of the sampling, in ms. */
  readonly atMs: number
  /** Id of the consumer: the cache time of its requests, in ms. Every consumer has its own baselines. */
  readonly consumer: number
}

/**
 * Collector that reads one family of values. Returns `undefined` when this machine has no such values or they are not known yet. Throws
 * when the machine should have them and the reading failed.
 */
export type Collector<T> = {
  readonly name: string
  readonly collect: (tick: Tick) => T | undefined | Promise<T | undefined>
  /** Returns findings, omissions and missing permissions of the latest reading, for the `doctor` command. Reads nothing. */
  readonly report?: () => CollectorReport
}

export type CollectorReport = {
  /** Short description of what the collector reads, such as `sda, nvme0n1`. */
  readonly found?: string
  readonly skipped?: readonly Skipped[]
  /** Command or setting that fixes a problem, such as a missing permission. */
  readonly remedy?: string
}
