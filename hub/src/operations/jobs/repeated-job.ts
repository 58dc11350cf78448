import type { Clock } from '../../platform/clock.ts'
import type { Duties } from '../../platform/cluster/duties.ts'
import { startLoop } from '../../platform/loop.ts'
import { attempt, type JobOutcome, type JobRun, type JobState } from './job.ts'

/**
 * Running background job that repeats at a fixed interval, on one of several hubs. The result of its last run is in memory only, so a
 * restart loses it.
 */
export type RepeatedJob = AsyncDisposable & {
  readonly id: string
  /**
   * Runs the background job now; if it is running, waits for that run. Does nothing while another hub has the job. Never rejects; the
   * outcome is in `state`.
   */
  readonly run: () => Promise<void>
  readonly state: () => JobState
}

type RepeatedJobOptions = {
  readonly id: string
  readonly duties: Duties
  readonly everyMs: number
  readonly clock: Clock
  /**
   * Function that performs one run of the background job and resolves to its result; it must log its own failures. The signal aborts when
   * the hub stops or another hub takes over the job.
   */
  readonly run: (signal: AbortSignal) => Promise<JobOutcome>
}

/**
 * Time in ms (10 s) after a background job's missed run. If the hub that has the job has not run it by then, another hub of the database
 * takes the job.
 */
const TAKEN_AFTER_MS = 10_000
/** Interval, in ms (5 s), at which a hub that does not run the background job checks whether it must take the job over from another hub. */
const LOOK_EVERY_MS = 5_000

export function startRepeatedJob({ id, duties, everyMs, clock, run }: RepeatedJobOptions): RepeatedJob {
  let last: JobRun | undefined
  let isRunning = false
  let nextMs = clock.now() + everyMs

  async function work(signal: AbortSignal): Promise<number> {
    const made = await duties.perform({ name: `job ${id}`, keptMs: everyMs + TAKEN_AFTER_MS }, async (lost) => {
      isRunning = true
      return attempt(clock, () => run(AbortSignal.any([signal, lost])))
    })
    isRunning = false
    if (made === undefined) return Math.min(everyMs, LOOK_EVERY_MS)
    last = made
    nextMs = clock.now() + everyMs
    return everyMs
  }

  const loop = startLoop({ work, firstMs: everyMs, retryMs: everyMs, onError: () => {} })
  return {
    id,
    run: loop.run,
    state: () => ({ id, expression: '', everyMs, deletes: false, isRunning, nextMs, last }),
    [Symbol.asyncDispose]: loop[Symbol.asyncDispose],
  }
}
