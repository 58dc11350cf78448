/**
 * Controller of a time-limited log search. `next` returns how many rows the next step reads: first 1,000, later up to four times as many,
 * at most 50,000. `done` reports the rows of a step, so that the speed is known.
 */
export type SearchPace = {
  /** Returns the number of rows that the next step of a log search should read. 0 when too little of the search's time limit is left. */
  readonly next: () => number
  readonly done: (rows: number) => void
}

const FIRST_ROWS = 1_000
/**
 * Maximum number of rows that one step of a log search reads: 50,000. It bounds the step's duration when rows must be read from disk, which
 * is slower than the cached rows before.
 */
const MOST_ROWS = 50_000
const GROWTH = 4
/**
 * Share, 0.6, of the remaining time that the next step of a log search may use at the measured speed. A larger share means fewer steps, but
 * a slow step would exceed the limit.
 */
const TIME_SHARE = 0.6

/**
 * Creates the controller of a log search with a time limit of `budgetMs` (ms). Before each step call `next`, which returns the rows to
 * read, and after it `done`. `now` returns the time of a monotonic clock in ms.
 */
export function paceFor(budgetMs: number, now: () => number): SearchPace {
  const begunMs = now()
  let rowsLookedAt = 0
  let rows = FIRST_ROWS
  return {
    next() {
      const spentMs = now() - begunMs
      if (rowsLookedAt === 0) return rows
      const leftMs = budgetMs - spentMs
      const fitting = Math.floor((rowsLookedAt / Math.max(spentMs, 0.1)) * leftMs * TIME_SHARE)
      return fitting < FIRST_ROWS ? 0 : Math.min(rows, fitting, MOST_ROWS)
    },
    done(looked) {
      rowsLookedAt += looked
      rows *= GROWTH
    },
  }
}
