import { sql, type RawBuilder } from 'kysely'
import type { Clock } from '../../clock.ts'
import type { Log } from '../../log.ts'

/**
 * SQL expression of the current time in epoch ms by PostgreSQL's clock, not of the transaction's start. Hubs use it because their own
 * clocks may differ.
 */
export const databaseNow: RawBuilder<number> = sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`

/**
 * Maximum difference between the clock of one of several hubs and the database's, in ms (60 s). Beyond it the hub refuses to start or, if
 * it runs, gives its systems to other hubs.
 */
const MAX_DIFFERENCE_MS = 60_000

/** End of the error messages about a wrong clock of the hub or the database: `let NTP set the clocks of both`. */
export const CLOCK_CURE = 'let NTP set the clocks of both'

/**
 * Compares the hub's clock with the database time that `read` resolves to (epoch ms). Resolves to a sentence when they differ by over 60 s,
 * else to `undefined`. A process that was frozen during the read is not reported.
 */
export async function clockProblem(clock: Clock, read: () => Promise<number>): Promise<string | undefined> {
  const beforeMs = clock.now()
  const databaseMs = await read()
  const aheadMs = beforeMs > databaseMs ? beforeMs - databaseMs : Math.min(0, clock.now() - databaseMs)
  const seconds = Math.round(Math.abs(aheadMs) / 1000)
  if (seconds * 1000 <= MAX_DIFFERENCE_MS) return undefined
  return `the clock of this hub is ${seconds} s ${aheadMs > 0 ? 'ahead of' : 'behind'} the clock of the database`
}

/**
 * Creates the state of this hub's clock. `note` stores whether the clock differs too much from the database's; `isWrong` returns that. It
 * can change while the hub runs, as after a suspension of the machine.
 */
export function hubClock(log: Log) {
  let isWrong = false
  return {
    isWrong: (): boolean => isWrong,
    /**
     * Records whether the hub's clock is wrong. `problem` is the result of comparing it with the database's: a sentence, or `undefined`
     * when right. Logs each change between right and wrong.
     */
    note(problem: string | undefined): void {
      if (problem !== undefined && !isWrong) log.error(`${problem}; its systems go to other hubs until the clock is right; ${CLOCK_CURE}`)
      if (problem === undefined && isWrong) log.warn('the clock of this hub is right again')
      isWrong = problem !== undefined
    },
  }
}
