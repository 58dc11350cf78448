/** How many rows are looked at in one step: few at first, then as many as fit into the time that is left. */
export type Pace = {
  /** 0: the time is over. */
  readonly next: () => number
  readonly done: (rows: number) => void
}

const FIRST_ROWS = 1_000
/** Rows that must be read from disk are slower than cached ones. */
const MOST_ROWS = 50_000
const GROWTH = 4
/** Of the time that is left, what the next step may take if it is as fast as those before. */
const CAUTION = 0.6

/** `now`: milliseconds of any clock that only goes on. */
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
