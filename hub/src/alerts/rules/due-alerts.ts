import type { Database } from '../../platform/db/database.ts'
import type { Log } from '../../platform/log.ts'
import { startLoop } from '../../platform/loop.ts'
import type { AlertWatch } from './alert-watch.ts'
import type { DuePosition } from '../incidents/incident-store.ts'

export type DueAlerts = AsyncDisposable

type DueParts = {
  readonly database: Database
  readonly watch: Pick<AlertWatch, 'decideDue'>
  readonly log: Log
  /** How long a hub that was held up itself gives its agents to come back; 0 for one that is awake. */
  readonly settlingMs: () => number
  /** After a start, too, agents need a moment: what fell due meanwhile may be over. */
  readonly startGraceMs?: number
  readonly lookEveryMs?: number
}

/** Agents dial again within half a minute of a start, are asked within another, and twice before they count as down. */
const START_GRACE_MS = 90_000
/** A wait is of whole minutes: as exact as anybody asked for. */
const LOOK_EVERY_MS = 5000

/**
 * Decides what time decides. When it is due stands in the database: a hub that starts, wakes or takes over finds it there, and
 * the timer here only looks.
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
    if (settlingMs() > 0) return lookEveryMs
    // Some alerts stay due, such as those of an account that cannot be read: each is looked at once.
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
