import { listOf, numberOf, recordOf, textOf } from '../../api/json.ts'
import { withUnit } from '../../format/bytes.ts'
import type { NumberFormats } from '../../format/formats.ts'
import * as words from '../../words/messages.js'

export type JobRun = {
  readonly startedMs: number
  readonly tookMs: number
  readonly failure: string | undefined
  readonly removed: number | undefined
  readonly made: string | undefined
}

/**
 * Background job of the hub, such as the deletion of old logs: its schedule (`expression`, cron), next run, and last run with result. Times
 * are epoch ms.
 */
export type JobItem = {
  readonly id: string
  readonly expression: string
  /** Interval in seconds at which a background job runs; `undefined` for a job with a cron schedule. */
  readonly everySeconds: number | undefined
  readonly deletes: boolean
  readonly isRunning: boolean
  readonly nextMs: number | undefined
  readonly last: JobRun | undefined
}

export function readJobs(answer: unknown): readonly JobItem[] {
  return listOf(answer).map((one) => {
    const { id, expression, everySeconds, deletes, running, next, last } = recordOf(one)
    return {
      id: textOf(id) ?? '',
      expression: textOf(expression) ?? '',
      everySeconds: numberOf(everySeconds),
      deletes: deletes === true,
      isRunning: running === true,
      nextMs: numberOf(next),
      last: readRun(last),
    }
  })
}

function readRun(value: unknown): JobRun | undefined {
  const { started, tookMs, failure, removed, made } = recordOf(value)
  const startedMs = numberOf(started)
  if (startedMs === undefined) return undefined
  return { startedMs, tookMs: numberOf(tookMs) ?? 0, failure: textOf(failure), removed: numberOf(removed), made: textOf(made) }
}

/**
 * Returns the translated text of when a background job runs next. For a job with an interval it is the interval. For a job with a cron
 * schedule it is the schedule and the time, which `at` formats from epoch ms, or "never".
 */
export function whenText({ expression, everySeconds, nextMs }: JobItem, at: (ms: number) => string): string {
  if (everySeconds !== undefined) return words.office_job_every({ seconds: everySeconds })
  return nextMs === undefined ? words.office_job_never() : words.office_job_next({ at: at(nextMs), cron: expression })
}

/**
 * Returns the translated result of a background job's last run: an error, what it created, the number of deleted items, or that there was
 * nothing. For a job that runs at an interval it is "done" unless it failed.
 */
export function outcomeText({ failure, removed, made }: JobRun, everySeconds: number | undefined): string {
  if (failure !== undefined) return words.office_job_failed({ why: failure })
  if (everySeconds !== undefined) return words.office_job_done()
  if (made !== undefined) return words.office_job_made({ name: made })
  if (removed === undefined || removed === 0) return words.office_job_nothing()
  return words.office_job_removed({ count: removed })
}

/** Returns the duration of a background job's run, given in ms, as text: `120 ms`, `3.4 s`, `2 min`. */
export function tookText(tookMs: number, formats: NumberFormats): string {
  if (tookMs < 1_000) return withUnit(Math.round(tookMs), 'ms', formats)
  return tookMs < 120_000 ? withUnit(tookMs / 1_000, 's', formats) : withUnit(Math.round(tookMs / 60_000), 'min', formats)
}
