import { sql } from 'kysely'
import type { Database } from '../../../platform/db/database.ts'
import { parsePaging, type ListedPage, type ListQuery } from '../../../records/reading/query.ts'
import { fieldPicker } from '../../../records/presentation/present.ts'
import { compiledLogFilter, type LogFilterContext } from './log-filter.ts'
import { presentLog, seqOfId, type StoredLog } from './log-records.ts'
import { rowsBetween } from './log-rows.ts'
import { seqRange } from '../log-table.ts'

const nothing = { first: 1, last: 0 }

/**
 * Loads a page of the log entries that match a filter, in the list format of the records API. `query` has the parameters of the request;
 * rejects with 400 for an invalid one.
 */
export async function listLogs(asker: LogFilterContext, query: ListQuery): Promise<ListedPage> {
  const { database } = asker
  const { page, perPage, skipTotal } = parsePaging(query)
  const { where, orderBy, window } = compiledLogFilter(asker, query['filter'] ?? '', query['sort'] ?? '')
  const pick = fieldPicker(query['fields'] ?? '')
  const rows = rowsBetween(database, (await seqRange(database, window)) ?? nothing)
  const offset = Math.min((page - 1) * perPage, Number.MAX_SAFE_INTEGER)
  const found = await sql<StoredLog>`select r.seq, r.created, r.level, r.message, r.data from ${rows}
    where ${where} order by ${orderBy} limit ${perPage} offset ${offset}`.execute(database.queries)
  const items = found.rows.map((row) => pick(presentLog(row)))
  if (skipTotal) return { items, page, perPage, totalItems: -1, totalPages: -1 }
  const counted = await sql<{ total: number }>`select count(*) as total from ${rows} where ${where}`.execute(database.queries)
  const totalItems = counted.rows[0]?.total ?? 0
  return { items, page, perPage, totalItems, totalPages: Math.ceil(totalItems / perPage) }
}

/** Loads a log entry by its id (`l` and 14 digits), in the form of API responses. Resolves to `undefined` when no entry has this id. */
export async function loadLog({ queries }: Database, id: string): Promise<ReturnType<typeof presentLog> | undefined> {
  const seq = seqOfId(id)
  if (seq === undefined) return undefined
  const row = await queries
    .selectFrom('logs')
    .select(['seq', 'created', 'level', 'message', 'data'])
    .where('seq', '=', seq)
    .executeTakeFirst()
  return row === undefined ? undefined : presentLog(row)
}

/**
 * Resolves to a list of hours (UTC) with the number of log entries that match a filter, oldest first. Rejects with 400 for an invalid
 * filter. Hours without entries are left out.
 */
export async function logStats(asker: LogFilterContext, filter: string) {
  const { database } = asker
  const { where, window } = compiledLogFilter(asker, filter)
  const rows = rowsBetween(database, (await seqRange(database, window)) ?? nothing)
  const counted = await sql<{ hour: string; total: number }>`select substr(r.created, 1, 13) as hour, count(*) as total from ${rows}
    where ${where} group by 1 order by 1`.execute(database.queries)
  return counted.rows.map(({ hour, total }) => ({ total, date: `${hour}:00:00.000Z` }))
}
