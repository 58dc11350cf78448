import { sql, type RawBuilder } from 'kysely'

/**
 * Name of the column of a queue table (emails, deliveries, notifications) with the time at which the row's `due` was set. If that time is
 * in the future, the clock was set back and the row counts as due now.
 */
export type DueColumn = 'at' | 'scheduled'

/**
 * Returns the SQL condition that a queued row is due: its column `due` is at or before `nowMs` (epoch ms). It also holds if the time in the
 * column `setIn`, at which `due` was set, is in the future: the clock was set back.
 */
export const isDueAt = (setIn: DueColumn, nowMs: number): RawBuilder<boolean> =>
  sql<boolean>`(due <= ${nowMs} or ${sql.ref(setIn)} > ${nowMs})`

/**
 * Returns SQL for the earliest due time of the queued rows, in epoch ms; null without rows. A row whose column `setIn` is in the future,
 * after the clock was set back, counts with `nowMs`.
 */
export const earliestDue = (setIn: DueColumn, nowMs: number): RawBuilder<number | null> =>
  sql<number | null>`min(case when ${sql.ref(setIn)} > ${nowMs} then ${nowMs} else due end)`
