import type { Database } from '../../platform/db/database.ts'
import type { Log } from '../../platform/log.ts'
import { startLoop } from '../../platform/loop.ts'
import type { AlertWatch } from './alert-watch.ts'
import type { DuePosition } from './alert-transition.ts'

export type DueAlerts = AsyncDisposable

type DueParts = {
  readonly database: Database
  readonly watch: Pick<AlertWatch, 'hasDue' | 'decideDue'>
  readonly log: Log
  /** Time left for agents to reconnect after the hub itself was suspended, in ms; 0 if it was not. */
  readonly settlingMs: () => number
  /** Agents also need time after a start. An alert that fell due meanwhile may be over. */
  readonly startGraceMs?: number
  readonly lookEveryMs?: number
}

/**
 * After a start, agents reconnect in about 30 s and are polled within another 30 s. A system is down only after a second failed attempt.
 */
const START_GRACE_MS = 90_000
/** Polling interval. Waits are whole minutes, so this is exact enough. */
const LOOK_EVERY_MS = 5000

/**
 * Fires alerts whose wait is over. Due times are stored in the database, so they survive a restart, a suspend and a failover; the timer
 * only polls.
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

  const onError = (error: unknown): void => log.error('due alerts not decided', { error })
  return startLoop({ work, onError, firstMs: Math.max(startGraceMs, lookEveryMs), retryMs: lookEveryMs })
}
