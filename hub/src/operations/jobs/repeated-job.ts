import type { Clock } from '../../platform/clock.ts'
import { startLoop } from '../../platform/loop.ts'
import { attempt } from './attempt.ts'
import type { JobOutcome, JobRun, JobState } from './job.ts'

/** A background job at a fixed interval. Its last run is not stored across restarts. */
export type RepeatedJob = AsyncDisposable & {
  readonly id: string
  /** Runs the job now, or waits for the current run. Never rejects. */
  readonly run: () => Promise<void>
  readonly state: () => JobState
}

type RepeatedJobOptions = {
  readonly id: string
  readonly everyMs: number
  readonly clock: Clock
  /** The job logs its own failures. The signal is aborted when the hub stops. */
  readonly run: (signal: AbortSignal) => Promise<JobOutcome>
}

export function startRepeatedJob({ id, everyMs, clock, run }: RepeatedJobOptions): RepeatedJob {
  let last: JobRun | undefined
  let isRunning = false
  let nextMs = clock.now() + everyMs

  async function work(signal: AbortSignal): Promise<number> {
    isRunning = true
    last = await attempt(clock, () => run(signal))
    isRunning = false
    nextMs = clock.now() + everyMs
    return everyMs
  }

  const loop = startLoop({ work, firstMs: everyMs, onError: () => {} })
  return {
    id,
    run: loop.run,
    state: () => ({ id, expression: '', everyMs, deletes: false, isRunning, nextMs, last }),
    [Symbol.asyncDispose]: loop[Symbol.asyncDispose],
  }
}
