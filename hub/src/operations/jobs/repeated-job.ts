import type { Clock } from '../../platform/clock.ts'
import { startLoop } from '../../platform/loop.ts'
import { attempt } from './attempt.ts'
import type { JobOutcome, JobRun, JobState } from './job.ts'

/** A background job at a fixed interval. Only its last run is known, and not after a restart. */
export type RepeatedJob = AsyncDisposable & {
  readonly id: string
  /** Runs it now, or waits for the run under way. Never rejects. */
  readonly run: () => Promise<void>
  readonly state: () => JobState
}

type RepeatedJobOptions = {
  readonly id: string
  readonly everyMs: number
  readonly clock: Clock
  /** Logs its own failures. The signal is aborted when the hub stops. */
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
