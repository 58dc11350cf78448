import { sql, type RawBuilder } from 'kysely'
import type { Clock } from '../../clock.ts'
import type { Log } from '../../log.ts'

/** Epoch milliseconds by PostgreSQL's clock at this moment of a transaction. The clocks of several hubs may differ. */
export const databaseNow: RawBuilder<number> = sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`

/** Samples of one system come from several hubs in turn. With clocks that differ by more, they would overlap by a minute of the history. */
const MAX_DIFFERENCE_MS = 60_000

/** The end of a message about a wrong clock: the remedy. */
export const CLOCK_CURE = 'let NTP set the clocks of both'

/**
 * Calls `read`, which returns the time of the database in epoch milliseconds, and compares the hub's clock with it. Returns the sentence about a
 * clock that differs too much. The time of the reading counts for the hub, so a process that was frozen meanwhile has no problem.
 */
export async function clockProblem(clock: Clock, read: () => Promise<number>): Promise<string | undefined> {
  const beforeMs = clock.now()
  const databaseMs = await read()
  const aheadMs = beforeMs > databaseMs ? beforeMs - databaseMs : Math.min(0, clock.now() - databaseMs)
  const seconds = Math.round(Math.abs(aheadMs) / 1000)
  if (seconds * 1000 <= MAX_DIFFERENCE_MS) return undefined
  return `the clock of this hub is ${seconds} s ${aheadMs > 0 ? 'ahead of' : 'behind'} the clock of the database`
}

/** Whether the clock of a running hub may be used beside those of other hubs: it may jump, as when a suspended machine wakes up. */
export function hubClock(log: Log) {
  let isWrong = false
  return {
    isWrong: (): boolean => isWrong,
    /** Logs each change. */
    note(problem: string | undefined): void {
      if (problem !== undefined && !isWrong) log.error(`${problem}; its systems go to other hubs until the clock is right; ${CLOCK_CURE}`)
      if (problem === undefined && isWrong) log.warn('the clock of this hub is right again')
      isWrong = problem !== undefined
    },
  }
}
