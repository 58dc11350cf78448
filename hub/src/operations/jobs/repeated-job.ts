import type { Clock } from '../../platform/clock.ts'
import { attempt } from './attempt.ts'
import type { JobOutcome, JobRun, JobState } from './job.ts'

/** Something that the hub does all the time, at a pace of its own. What came of it is known of the last time alone, and not after a start. */
export type RepeatedJob = AsyncDisposable & {
  readonly id: string
  /** Does it now; while it is being done, waits for that. Never rejects. */
  readonly run: () => Promise<void>
  readonly state: () => JobState
}

type OngoingParts = {
  readonly id: string
  readonly everyMs: number
  readonly clock: Clock
  /** Says itself what has to be logged. What it is given is aborted when it is to leave the rest for another time. */
  readonly run: (signal: AbortSignal) => Promise<JobOutcome>
}

export function startRepeatedJob({ id, everyMs, clock, run }: OngoingParts): RepeatedJob {
  const closing = new AbortController()
  let running: Promise<void> | undefined
  let last: JobRun | undefined
  let nextMs = clock.now() + everyMs

  async function carryOut(): Promise<void> {
    const startedMs = clock.now()
    const outcome = await attempt(() => run(closing.signal))
    last = { startedMs, tookMs: Math.max(0, clock.now() - startedMs), failure: undefined, ...outcome }
  }

  const once = (): Promise<void> => (running ??= carryOut().finally(() => (running = undefined)))

  const timer = setInterval(() => {
    nextMs = clock.now() + everyMs
    void once()
  }, everyMs)
  return {
    id,
    run: once,
    state: () => ({ id, expression: '', everyMs, deletes: false, isRunning: running !== undefined, nextMs, last }),
    async [Symbol.asyncDispose]() {
      clearInterval(timer)
      closing.abort()
      await running
    },
  }
}
