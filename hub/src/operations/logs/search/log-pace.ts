/** Row counts for a search in steps: few rows at first, then as many as fit into the remaining time. */
export type Pace = {
  /** Returns 0 when the time budget is used up. */
  readonly next: () => number
  readonly done: (rows: number) => void
}

const FIRST_ROWS = 1_000
/** Rows that must be read from disk are slower than cached ones. */
const MOST_ROWS = 50_000
const GROWTH = 4
/** Share of the remaining time that the next step may use, at the speed of the earlier steps. */
const CAUTION = 0.6

/** `now`: milliseconds of a monotonic clock. */
export function paceFor(budgetMs: number, now: () => number): Pace {
  const begunMs = now()
  let rowsLookedAt = 0
  let rows = FIRST_ROWS
  return {
    next() {
      const spentMs = now() - begunMs
      if (rowsLookedAt === 0) return rows
      const leftMs = budgetMs - spentMs
      const fitting = Math.floor((rowsLookedAt / Math.max(spentMs, 0.1)) * leftMs * CAUTION)
      return fitting < FIRST_ROWS ? 0 : Math.min(rows, fitting, MOST_ROWS)
    },
    done(looked) {
      rowsLookedAt += looked
      rows *= GROWTH
    },
  }
}
