import type { Database } from '../../platform/db/database.ts'
import type { Log } from '../../platform/log.ts'
import { startLoop } from '../../platform/loop.ts'
import type { AlertWatch } from './alert-watch.ts'
import type { DuePosition } from '../transitions/alert-transition.ts'

export type DueAlerts = AsyncDisposable

type DueParts = {
  readonly database: Database
  readonly watch: Pick<AlertWatch, 'hasDue' | 'decideDue'>
  readonly log: Log
  /**
   * Function that returns the remaining time in ms in which no alert fires, because agents are reconnecting. That follows a suspension of
   * this process for more than 15 s, or a failure of the database. 0 otherwise.
   */
  readonly settlingMs: () => number
  /**
   * Delay after a hub start, in ms, before alerts whose waiting time is over may fire; 90,000 by default. Agents need time to reconnect.
   */
  readonly startGraceMs?: number
  readonly lookEveryMs?: number
}

/**
 * Default delay after a hub start, in ms (90 s), before alerts whose waiting time is over may fire. Agents reconnect and are polled within
 * 60 s; a system is down only after a second failed attempt.
 */
const START_GRACE_MS = 90_000
/**
 * Interval, in ms (5 s), at which alerts are checked whose waiting time is over. Waiting times are whole minutes, so this is exact enough.
 */
const LOOK_EVERY_MS = 5000

/**
 * Starts the background loop that fires alerts whose waiting time is over, every 5 s after a delay at the start. Returns the running loop.
 * Due times are in the database, so they survive a restart and a failover.
 */
export function decideDueAlerts({
  database,
  watch,
  log,
  settlingMs,
  startGraceMs = START_GRACE_MS,
  lookEveryMs = LOOK_EVERY_MS,
}: DueParts): DueAlerts {
  async function work(): Promise<number> {
    if (settlingMs() > 0 || !(await watch.hasDue())) return lookEveryMs
    // Some alerts stay due, such as those of an account that cannot be read. Each is checked once per run.
    let after: DuePosition | undefined
    do {
      const last = after
      after = await database.write((unit) => watch.decideDue(unit, last))
    } while (after !== undefined)
    return lookEveryMs
  }

  const onError = (error: unknown): void => log.error('due alerts not evaluated', { error })
  return startLoop({ work, onError, firstMs: Math.max(startGraceMs, lookEveryMs), retryMs: lookEveryMs })
}
