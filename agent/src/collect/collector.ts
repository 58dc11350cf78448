import type { SkippedPart } from '@vedette/protocol/metrics/diagnosis'

/** Parameters of one sampling of all collectors: its time and the consumer of the sample. */
export type Tick = {
  /** Monotonic time of this sampling, in ms. All collectors of one sample get an equal time. */
  readonly atMs: number
  /**
   * Id of the consumer that requests the sample: the cache time of its requests in ms. Every consumer has its own previous readings for
   * rates.
   */
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
  /** Short description of what the collector found on this machine, such as `sda, nvme0n1`. */
  readonly found?: string
  readonly skipped?: readonly SkippedPart[]
  /** Shell command or setting by which the user can fix a problem of the collector, such as a missing permission. */
  readonly remedy?: string
}
