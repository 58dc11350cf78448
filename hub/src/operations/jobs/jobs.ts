import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/db/database.ts'
import type { Log } from '../../platform/log.ts'
import { startLoop } from '../../platform/loop.ts'
import { attempt } from './attempt.ts'
import type { Job, JobState } from './job.ts'
import { loadRuns, saveRun } from './job-runs.ts'
import type { RepeatedJob } from './repeated-job.ts'

/** What the hub does by itself, and when. */
export type Jobs = AsyncDisposable & {
  readonly list: () => Promise<readonly JobState[]>
  /** Runs one now, unless it is running. Resolves when that is over: false when there is no such job. */
  readonly run: (id: string) => Promise<boolean>
  /** Resolves when nothing runs. */
  readonly settled: () => Promise<void>
}

type JobsParts = {
  readonly jobs: readonly Job[]
  /** What keeps its own time, told of and run here as well. */
  readonly repeated: readonly RepeatedJob[]
  readonly database: Database
  readonly clock: Clock
  readonly log: Log
}

const LOOK_EVERY_MS = 15_000

/** Runs jobs when they are due. What fell due several times while the hub did not look is done once; while it did not run, not at all. */
export async function startJobs({ jobs, repeated, database, clock, log }: JobsParts): Promise<Jobs> {
  const runs = new Map(
    await loadRuns(
      database,
      jobs.map(({ id }) => id),
    ),
  )
  const running = new Map<string, Promise<void>>()
  let lookedAtMs = clock.now()
  let open = true

  function start(job: Job): Promise<void> {
    const going = running.get(job.id)
    if (going !== undefined) return going
    const done = carryOut(job).finally(() => running.delete(job.id))
    running.set(job.id, done)
    return done
  }

  async function carryOut({ id, run }: Job): Promise<void> {
    const last = await attempt(clock, run)
    runs.set(id, last)
    if (!open) return
    if (last.failure !== undefined) log.error('a job failed', { id, failure: last.failure })
    await saveRun(database, id, last).catch((error: unknown) => log.warn('the result of a job was not kept', { id, error }))
  }

  async function startDue(): Promise<number> {
    const [sinceMs, nowMs] = [lookedAtMs, clock.now()]
    lookedAtMs = nowMs
    for (const job of jobs) {
      const dueMs = await dueAfter(job, sinceMs).catch((error: unknown) => log.error('a job is not scheduled', { id: job.id, error }))
      if (dueMs !== undefined && dueMs <= nowMs) void start(job)
    }
    return LOOK_EVERY_MS
  }

  const loop = startLoop({ work: startDue, firstMs: LOOK_EVERY_MS, onError: (error) => log.error('jobs not started', { error }) })
  return {
    async list() {
      const scheduled = jobs.map(async ({ id, schedule, deletes }): Promise<JobState> => {
        const { expression, nextAfter } = await schedule()
        const nextMs = nextAfter(clock.now())
        return { id, expression, everyMs: undefined, deletes, isRunning: running.has(id), nextMs, last: runs.get(id) }
      })
      return [...(await Promise.all(scheduled)), ...repeated.map(({ state }) => state())]
    },
    async run(id) {
      const job = jobs.find((one) => one.id === id)
      const other = repeated.find((one) => one.id === id)
      if (job !== undefined) await start(job)
      else await other?.run()
      return job !== undefined || other !== undefined
    },
    async settled() {
      await loop.settled()
      await Promise.all(running.values())
    },
    async [Symbol.asyncDispose]() {
      open = false
      // A long run is ended by its owner.
      await loop[Symbol.asyncDispose]()
    },
  }
}

const dueAfter = async ({ schedule }: Job, afterMs: number): Promise<number | undefined> => (await schedule()).nextAfter(afterMs)
