import { sql, type RawBuilder } from 'kysely'
import type { Database } from '../../../platform/db/database.ts'
import { recordDate } from '../../../records/model/stored-record.ts'
import type { LogWindow, SeqRange } from '../log-table.ts'

/**
 * Returns an SQL subquery with alias `r` that selects the log rows whose row numbers lie between `first` and `last` (inclusive). Its column
 * `id` has the API's format, `l` and 14 digits.
 */
export function rowsBetween({ name }: Database, { first, last }: SeqRange): RawBuilder<unknown> {
  const id = name === 'sqlite' ? sql`printf('l%014d', seq)` : sql`('l' || lpad(seq::text, 14, '0'))`
  return sql`(select seq, ${id} as id, created, level, message, status, account, address, data from logs where seq between ${first} and ${last}) as r`
}

/**
 * Returns the SQL condition that `created` of the log rows (alias `r`) is at or after `fromMs` and before `toMs`, followed by `and`. Empty
 * when the range is unlimited.
 */
export function inLogWindow({ fromMs, toMs }: LogWindow): RawBuilder<unknown> {
  const from = fromMs === undefined ? sql`` : sql`r.created >= ${recordDate(fromMs)} and `
  return toMs === undefined ? from : sql`${from}r.created < ${recordDate(toMs)} and `
}
