import { sql, type RawBuilder } from 'kysely'
import type { Database } from '../../../platform/db/database.ts'
import { recordDate } from '../../../records/model/stored-record.ts'
import type { LogWindow, SeqRange } from '../log-table.ts'

/** SQL of the rows in a number range, as `r`, with their ids in the clients' format. */
export function rowsBetween({ name }: Database, { first, last }: SeqRange): RawBuilder<unknown> {
  const id = name === 'sqlite' ? sql`printf('l%014d', seq)` : sql`('l' || lpad(seq::text, 14, '0'))`
  return sql`(select seq, ${id} as id, created, level, message, status, account, address, data from logs where seq between ${first} and ${last}) as r`
}

/** SQL condition of a time window, to be placed before another condition. */
export function within({ fromMs, toMs }: LogWindow): RawBuilder<unknown> {
  const from = fromMs === undefined ? sql`` : sql`r.created >= ${recordDate(fromMs)} and `
  return toMs === undefined ? from : sql`${from}r.created < ${recordDate(toMs)} and `
}
