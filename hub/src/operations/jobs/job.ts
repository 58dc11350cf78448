import { z } from 'zod'
import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/db/database.ts'
import { saveState } from '../../platform/db/hub-state.ts'
import { parseJson } from '../../platform/json.ts'

/**
 * Result of a background job's run: the number of deleted rows or files (`removed`), or the file name of the backup that it made (`made`).
 * Both are absent when there is nothing to report.
 */
export type JobOutcome = { readonly removed?: number; readonly made?: string }

/**
 * Schedule of a job. `expression`: cron in UTC, five fields; `''` disables the job. `nextAfter` returns the first run after a time, in
 * epoch ms, or `undefined` if there is none. It throws for an invalid expression.
 */
export type Schedule = { readonly expression: string; readonly nextAfter: (afterMs: number) => number | undefined }

/**
 * Definition of a background job that the hub runs on a schedule. `schedule` resolves to its current schedule; `run` does the work and
 * resolves to the result.
 */
export type Job = {
  readonly id: string
  readonly schedule: () => Promise<Schedule>
  /** True when a run of the background job permanently deletes data. The interface warns admins before they run it by hand. */
  readonly deletes: boolean
  readonly run: () => Promise<JobOutcome>
}

/** Data of one run of a background job: its start (epoch ms), its duration `tookMs`, and the failure or the result. */
export type JobRun = {
  readonly startedMs: number
  readonly tookMs: number
  /** Reason why the run of the background job failed, as text of at most 300 characters. `undefined` after a success. */
  readonly failure: string | undefined
} & JobOutcome

export type JobState = {
  readonly id: string
  readonly expression: string
  /** Interval of a job that repeats at a fixed interval, in ms. `undefined` for a job with a cron schedule. */
  readonly everyMs: number | undefined
  readonly deletes: boolean
  readonly isRunning: boolean
  /** Time of the background job's next run, in epoch ms. `undefined` when the job is not scheduled. */
  readonly nextMs: number | undefined
  /**
   * Start, duration and result of the background job's last run, also from before a restart if it was stored. `undefined` before the first
   * run.
   */
  readonly last: JobRun | undefined
}

const LONGEST_FAILURE = 300

/**
 * Calls the function `run` of a background job once, and resolves to the start, duration and result of that run. Never rejects: after an
 * error, the field `failure` holds its message.
 */
export async function attempt(clock: Clock, run: () => Promise<JobOutcome>): Promise<JobRun> {
  const startedMs = clock.now()
  const took = () => ({ startedMs, tookMs: Math.max(0, clock.now() - startedMs) })
  try {
    const outcome = await run()
    return { ...took(), failure: undefined, ...outcome }
  } catch (error) {
    return { ...took(), failure: (error instanceof Error ? error.message : String(error)).slice(0, LONGEST_FAILURE) }
  }
}

const stored = z.object({
  startedMs: z.number(),
  tookMs: z.number(),
  failure: z.string().optional(),
  removed: z.number().optional(),
  made: z.string().optional(),
})

const stateOf = (id: string): string => `job.${id}`

/** Stores start, duration and result of a job's last run in the database, so that they survive a restart. */
export async function saveRun(database: Database, id: string, run: JobRun): Promise<void> {
  await database.write(({ sql }) => saveState(sql, stateOf(id), JSON.stringify(run)), 'process')
}

/**
 * Loads the last runs of the jobs with these ids, as map from job id to run. Jobs without a run, or with one of an unknown form, are left
 * out.
 */
export async function loadRuns(database: Database, ids: readonly string[]): Promise<ReadonlyMap<string, JobRun>> {
  const rows = await database.kysely.selectFrom('hub_state').select(['name', 'value']).where('name', 'in', ids.map(stateOf)).execute()
  const runs = new Map<string, JobRun>()
  for (const { name, value } of rows) {
    const { success, data } = stored.safeParse(parseJson(value))
    if (success) {
      const { removed, made, failure, startedMs, tookMs } = data
      const outcome = { ...(removed === undefined ? {} : { removed }), ...(made === undefined ? {} : { made }) }
      runs.set(name.slice(stateOf('').length), { startedMs, tookMs, failure, ...outcome })
    }
  }
  return runs
}
