import type { SkippedPart } from '@vedette/protocol/metrics/diagnosis'

/** Time and requester of a sample that is being taken, passed to every collector (reader of one kind of metric). */
export type Tick = {
  /** Monotonic time in ms at which the sample was started. All collectors of one sample get an equal time. */
  readonly atMs: number
  /**
   * Id of the requester of the sample, by which previous readings for rates are stored. It is the cache time in ms in its requests, such as
   * 60000 for the hub's minute poll.
   */
  readonly consumer: number
}

/**
 * Collector: reader of one kind of metric, such as CPU. `collect` returns the metric's value, or `undefined` when this machine has none or
 * it is not known yet. It throws when the machine should have a value but reading failed.
 */
export type Collector<T> = {
  readonly name: string
  readonly collect: (tick: Tick) => T | undefined | Promise<T | undefined>
  /**
   * Returns what the collector's latest reading found (text), which parts it skipped and why, and the command that fixes a missing
   * permission. It is for the agent's diagnostics. Reads nothing.
   */
  readonly report?: () => CollectorReport
}

export type CollectorReport = {
  /** Short text about what this collector (reader of one kind of metric) found on the machine, such as `sda, nvme0n1` for drives. */
  readonly found?: string
  readonly skipped?: readonly SkippedPart[]
  /**
   * Shell command or setting by which the user can fix what prevents the collector (reader of one kind of metric) from reading. Absent when
   * there is none.
   */
  readonly remedy?: string
}
