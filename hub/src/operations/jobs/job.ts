/** What came of a run: `removed` things, or something of a name made. Nothing of both: all is well, and there was nothing to tell. */
export type JobOutcome = { readonly removed?: number; readonly made?: string }

/**
 * When: a cron expression in UTC, five fields, `''` for not at all; and the first such moment after another, epoch milliseconds, which
 * throws for what is no expression.
 */
export type Schedule = { readonly expression: string; readonly nextAfter: (afterMs: number) => number | undefined }

/** Something the hub does by itself. */
export type Job = {
  readonly id: string
  readonly schedule: () => Promise<Schedule>
  /** Something is gone for good afterwards. */
  readonly deletes: boolean
  readonly run: () => Promise<JobOutcome>
}

/** Times are epoch milliseconds. */
export type JobRun = {
  readonly startedMs: number
  readonly tookMs: number
  /** Why it failed; undefined when it did not. */
  readonly failure: string | undefined
} & JobOutcome

export type JobState = {
  readonly id: string
  readonly expression: string
  /** Of what goes on all the time; undefined for what has a schedule, or none. */
  readonly everyMs: number | undefined
  readonly deletes: boolean
  readonly isRunning: boolean
  /** Undefined: never by itself. */
  readonly nextMs: number | undefined
  /** Undefined: not yet. */
  readonly last: JobRun | undefined
}
