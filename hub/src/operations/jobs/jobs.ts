import type { Clock } from '../../platform/clock.ts'
import type { Duties, Duty } from '../../platform/cluster/duties.ts'
import type { Database } from '../../platform/db/database.ts'
import type { Log } from '../../platform/log.ts'
import { startLoop } from '../../platform/loop.ts'
import { attempt, type Job, type JobState, loadRuns, saveRun } from './job.ts'
import type { RepeatedJob } from './repeated-job.ts'

/**
 * Scheduler of the hub's background jobs: lists the jobs with their next and last runs, and runs one now. Disposing it stops the schedule.
 */
export type Jobs = AsyncDisposable & {
  readonly list: () => Promise<readonly JobState[]>
  /**
   * Runs a background job now; if this hub is running it, waits for that run. Resolves to false if no job has this id, otherwise to true,
   * also after a failure or while another hub runs the job.
   */
  readonly run: (id: string) => Promise<boolean>
  /** Returns a promise that resolves as soon as no background job of the scheduler is running. */
  readonly settled: () => Promise<void>
}

type JobsParts = {
  readonly jobs: readonly Job[]
  /**
   * Background jobs with a timer of their own, at a fixed interval. The scheduler does not start them by schedule; it only lists them and
   * can run one now.
   */
  readonly repeated: readonly RepeatedJob[]
  readonly duties: Duties
  readonly database: Database
  readonly clock: Clock
  readonly log: Log
}

const LOOK_EVERY_MS = 15_000

/**
 * Starts the scheduler of jobs. Each job runs when its schedule is due, on one of several hubs. Times while the hub was stopped are
 * skipped; several missed times give one run.
 */
export async function startJobs({ jobs, repeated, duties, database, clock, log }: JobsParts): Promise<Jobs> {
  const ids = jobs.map(({ id }) => id)
  const runs = new Map(await loadRuns(database, ids))
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
    const notStarted = (error: unknown): void => log.error('job not started', { id, error })
    const last = await duties.perform(dutyOf(id), () => attempt(clock, run)).catch(notStarted)
    if (last === undefined) return
    runs.set(id, last)
    if (!open) return
    if (last.failure !== undefined) log.error('job failed', { id, failure: last.failure })
    await saveRun(database, id, last).catch((error: unknown) => log.warn('job result not stored', { id, error }))
  }

  async function startDue(): Promise<number> {
    const [sinceMs, nowMs] = [lookedAtMs, clock.now()]
    lookedAtMs = nowMs
    for (const job of jobs) {
      const dueMs = await dueAfter(job, sinceMs).catch((error: unknown) => log.error('job not scheduled', { id: job.id, error }))
      if (dueMs !== undefined && dueMs <= nowMs && (await duties.claim(job.id, dueMs))) void start(job)
    }
    return LOOK_EVERY_MS
  }

  const loop = startLoop({ work: startDue, firstMs: LOOK_EVERY_MS, onError: (error) => log.error('jobs not started', { error }) })
  return {
    async list() {
      const elsewhere = await duties.elsewhere()
      for (const [id, run] of await loadRuns(database, ids)) if (!((runs.get(id)?.startedMs ?? 0) > run.startedMs)) runs.set(id, run)
      const scheduled = jobs.map(async ({ id, schedule, deletes }): Promise<JobState> => {
        const { expression, nextAfter } = await schedule()
        const nextMs = nextAfter(clock.now())
        return {
          id,
          expression,
          everyMs: undefined,
          deletes,
          isRunning: running.has(id) || elsewhere.has(dutyOf(id).name),
          nextMs,
          last: runs.get(id),
        }
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
      // Its owner aborts a long run.
      await loop[Symbol.asyncDispose]()
    },
  }
}

const dutyOf = (id: string): Duty => ({ name: `job ${id}`, keptMs: 0 })

const dueAfter = async ({ schedule }: Job, afterMs: number): Promise<number | undefined> => (await schedule()).nextAfter(afterMs)
