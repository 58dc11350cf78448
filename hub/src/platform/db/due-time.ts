import { sql, type RawBuilder } from 'kysely'

/**
 * Name of the column with the time at which a queued row's `due` was set: `at` or `scheduled`. A time in the future means that the clock
 * was set back, so the row is due now.
 */
export type DueColumn = 'at' | 'scheduled'

/**
 * Returns the SQL condition that a queued row is due at `nowMs` (epoch ms). `setIn` names the column with the time at which `due` was set.
 * A time in the future counts as due.
 */
export const isDueAt = (setIn: DueColumn, nowMs: number): RawBuilder<boolean> =>
  sql<boolean>`(due <= ${nowMs} or ${sql.ref(setIn)} > ${nowMs})`

/**
 * Returns SQL for the earliest due time of the queued rows, in epoch ms; null without rows. A row counts as due now if the clock was set
 * back after `due` was set.
 */
export const earliestDue = (setIn: DueColumn, nowMs: number): RawBuilder<number | null> =>
  sql<number | null>`min(case when ${sql.ref(setIn)} > ${nowMs} then ${nowMs} else due end)`
