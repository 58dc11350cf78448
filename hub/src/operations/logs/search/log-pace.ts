/**
 * Controller of a time-limited log search: `next` returns how many rows the next step reads. The first step reads 1,000. Each later one
 * reads up to four times as many, at most 50,000, as fit into 60 % of the remaining time.
 */
export type SearchPace = {
  /** Returns the number of rows that the next step of a log search should read. 0 when too little of the search's time limit is left. */
  readonly next: () => number
  readonly done: (rows: number) => void
}

const FIRST_ROWS = 1_000
/** Maximum number of rows in one step of a log search: 50,000. Rows that must be read from disk are slower than cached ones. */
const MOST_ROWS = 50_000
const GROWTH = 4
/** Share of the remaining time limit that the next step of a log search may use, at the speed of the earlier steps: 0.6. */
const TIME_SHARE = 0.6

/**
 * Creates the controller of a log search of at most `budgetMs` ms, which decides how many rows each step reads. `next` returns the rows to
 * read; call `done` after each step. `now` returns the time of a monotonic clock in ms.
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
