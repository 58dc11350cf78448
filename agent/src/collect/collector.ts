import type { SkippedPart } from '@vedette/protocol/metrics/diagnosis'

/** Time and requester of a sample that is being taken, passed to every collector (reader of one kind of metric). */
export type Tick = {
  /** Monotonic time of the sample, in ms. All collectors of one sample get an equal time. */
  readonly atMs: number
  /**
   * Id of the requester of the sample, such as 60000 for the minute poll: the cache time in its requests, in ms. Rates are computed from
   * previous readings for this requester.
   */
  readonly consumer: number
}

/**
 * Reader of one kind of metric, such as CPU. `collect` returns `undefined` when this machine has no such values or they are not known yet.
 * It throws when the machine should have them and the reading failed.
 */
export type Collector<T> = {
  readonly name: string
  readonly collect: (tick: Tick) => T | undefined | Promise<T | undefined>
  /**
   * Returns the findings of the latest reading: what was found and skipped, and how to fix a missing permission. Used by the `doctor`
   * command; reads nothing.
   */
  readonly report?: () => CollectorReport
}

export type CollectorReport = {
  /** Short description of what the collector found on this machine, such as `sda, nvme0n1`. */
  readonly found?: string
  readonly skipped?: readonly SkippedPart[]
  /** Shell command or setting by which the user can fix a problem of the collector, such as a missing permission; absent for none. */
  readonly remedy?: string
}
