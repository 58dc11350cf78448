import type { Clock } from '../../platform/clock.ts'
import type { JobOutcome, JobRun } from './job.ts'

const LONGEST_FAILURE = 300

/** Runs a job once. Never rejects: the result names the failure. */
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
