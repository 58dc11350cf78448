/** What came of a run: `removed` things, or something of a name made. Nothing of both: all is well, and there was nothing to tell. */
export type JobOutcome = { readonly removed?: number; readonly made?: string }

/** Something the hub does by itself. */
export type Job = {
  readonly id: string
  /** When: a cron expression in UTC, five fields; `''`: not at all. */
  readonly expression: () => Promise<string>
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
  readonly deletes: boolean
  readonly isRunning: boolean
  /** Undefined: never by itself. */
  readonly nextMs: number | undefined
  /** Undefined: not yet. */
  readonly last: JobRun | undefined
}
