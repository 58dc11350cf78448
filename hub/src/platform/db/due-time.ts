import { sql, type RawBuilder } from 'kysely'

/**
 * Rows wait for the time in their column `due`. Another column says when `due` was set. A row that was set in the future is older than
 * a step back of the clock: it counts as due now, or it would wait for as long as the step.
 */
export type DueColumn = 'at' | 'scheduled'

/** Condition: the row is due at `nowMs`. */
export const isDueAt = (setIn: DueColumn, nowMs: number): RawBuilder<boolean> =>
  sql<boolean>`(due <= ${nowMs} or ${sql.ref(setIn)} > ${nowMs})`

/** The earliest time at which {@link isDueAt} holds for a row, epoch milliseconds; null without rows. */
export const earliestDue = (setIn: DueColumn, nowMs: number): RawBuilder<number | null> =>
  sql<number | null>`min(case when ${sql.ref(setIn)} > ${nowMs} then ${nowMs} else due end)`
