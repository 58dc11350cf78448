import { sql, type RawBuilder } from 'kysely'

/**
 * Column that contains the time at which a row's `due` was set. A time in the future means that the clock was set back; the row is due now
 * then.
 */
export type DueColumn = 'at' | 'scheduled'

/** Returns the SQL condition that a queued row is due at `nowMs` (epoch ms). */
export const isDueAt = (setIn: DueColumn, nowMs: number): RawBuilder<boolean> =>
  sql<boolean>`(due <= ${nowMs} or ${sql.ref(setIn)} > ${nowMs})`

/**
 * Returns SQL for the earliest due time of the queued rows, in epoch ms. Null without rows. A row counts as due now if its clock was set
 * back.
 */
export const earliestDue = (setIn: DueColumn, nowMs: number): RawBuilder<number | null> =>
  sql<number | null>`min(case when ${sql.ref(setIn)} > ${nowMs} then ${nowMs} else due end)`
