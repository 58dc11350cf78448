/** Result of a run: the number of `removed` items, or the name that was `made`. Neither is set when there is nothing to report. */
export type JobOutcome = { readonly removed?: number; readonly made?: string }

/**
 * A cron expression in UTC (five fields; `''` disables the job). `nextAfter` returns the first run after a time, in epoch milliseconds,
 * and throws for an invalid expression.
 */
export type Schedule = { readonly expression: string; readonly nextAfter: (afterMs: number) => number | undefined }

/** A scheduled background job of the hub. */
export type Job = {
  readonly id: string
  readonly schedule: () => Promise<Schedule>
  /** True when the job deletes data for good. */
  readonly deletes: boolean
  readonly run: () => Promise<JobOutcome>
}

/** Times are epoch milliseconds. */
export type JobRun = {
  readonly startedMs: number
  readonly tookMs: number
  /** Why the run failed; `undefined` after a success. */
  readonly failure: string | undefined
} & JobOutcome

export type JobState = {
  readonly id: string
  readonly expression: string
  /** Interval of a repeated job; `undefined` for a job with a schedule, or with none. */
  readonly everyMs: number | undefined
  readonly deletes: boolean
  readonly isRunning: boolean
  /** Undefined when the job is not scheduled. */
  readonly nextMs: number | undefined
  /** Undefined before the first run. */
  readonly last: JobRun | undefined
}
