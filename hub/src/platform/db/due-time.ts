import { sql, type RawBuilder } from 'kysely'

/**
 * Rows wait until the time in their column `due`. Another column says when `due` was set. A set time in the future means that the clock
 * was set back: the row is due now, because it would otherwise wait that much longer.
 */
export type DueColumn = 'at' | 'scheduled'

/** SQL condition: the row is due at `nowMs`. */
export const isDueAt = (setIn: DueColumn, nowMs: number): RawBuilder<boolean> =>
  sql<boolean>`(due <= ${nowMs} or ${sql.ref(setIn)} > ${nowMs})`

/** SQL of the earliest due time according to {@link isDueAt}, in epoch milliseconds; null without rows. */
export const earliestDue = (setIn: DueColumn, nowMs: number): RawBuilder<number | null> =>
  sql<number | null>`min(case when ${sql.ref(setIn)} > ${nowMs} then ${nowMs} else due end)`
