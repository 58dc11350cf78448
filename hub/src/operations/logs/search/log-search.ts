import { sql } from 'kysely'
import type { Database } from '../../../platform/db/database.ts'
import type { CompiledLogFilter } from './log-filter.ts'
import { paceFor } from './log-pace.ts'
import type { StoredLog } from './log-records.ts'
import { rowsBetween, inLogWindow } from './log-rows.ts'
import { dateMs, seqRange, type LogWindow, type SeqRange } from '../log-table.ts'

export type LogSearch = {
  readonly question: Pick<CompiledLogFilter, 'where'>
  readonly window: LogWindow
  /**
   * Row number at which the previous page of log results ended: this search finds only entries with a lower one. `undefined` for the first
   * page.
   */
  readonly before?: number | undefined
  readonly most: number
}

/**
 * Page of log search results: `rows` are the matching entries, newest first. If the search ended at its time limit, `searchedToMs` is the
 * time down to which it came.
 */
export type LogPage = {
  readonly rows: readonly StoredLog[]
  /**
   * Largest row number in the searched time range, also of entries that do not match; the range is extended to whole 10-minute buckets. If
   * the range has no rows, that of the whole log, or 0. A client then polls for entries after it.
   */
  readonly last: number
  /**
   * Row number to pass as `before` in the search for the next page of log entries. `undefined` when the search reached the start of the
   * time range, so that there is no next page.
   */
  readonly before: number | undefined
  /**
   * Time, in epoch ms, back to which log entries were searched, from the newest, when the search reached its time limit of 35 ms.
   * `undefined` when the page is complete.
   */
  readonly searchedToMs: number | undefined
}

/**
 * Time limit of one log search, in ms (35). The response reports the time down to which entries were searched, and the client's next
 * request continues there.
 */
const BUDGET_MS = 35

export async function searchLogs(
  database: Database,
  { question, window, before, most }: LogSearch,
  now = () => performance.now(),
): Promise<LogPage> {
  const range = await seqRange(database, window)
  if (range === undefined) {
    // A live view then asks for entries after the newest one, not for all old ones.
    const last = (await seqRange(database, {}))?.last ?? 0
    return { rows: [], last, before: undefined, searchedToMs: undefined }
  }
  const { first, last: newest } = range
  let last = Math.min(newest, (before ?? Number.POSITIVE_INFINITY) - 1)
  const rows: StoredLog[] = []
  const pace = paceFor(BUDGET_MS, now)
  while (last >= first) {
    const size = pace.next()
    if (size === 0) return { rows, last: newest, before: last + 1, searchedToMs: await momentOf(database, last + 1) }
    const from = Math.max(first, last - size + 1)
    const found = await newestOf(database, { question, window, range: { first: from, last }, most: most - rows.length })
    rows.push(...found)
    if (rows.length >= most) return { rows, last: newest, before: rows.at(-1)?.seq, searchedToMs: undefined }
    pace.done(last - from + 1)
    last = from - 1
  }
  return { rows, last: newest, before: undefined, searchedToMs: undefined }
}

type Step = Pick<LogSearch, 'question' | 'window' | 'most'> & { readonly range: SeqRange }

async function newestOf(database: Database, { question, window, range, most }: Step): Promise<readonly StoredLog[]> {
  const found = await sql<StoredLog>`select seq, created, level, message, data from ${rowsBetween(database, range)}
    where ${inLogWindow(window)}${question.where} order by seq desc limit ${most}`.execute(database.queries)
  return found.rows
}

/**
 * Loads at most `most` log entries that match a filter and have a row number above `after`, oldest first. `last` in the result is the last
 * row number that was searched; the next call passes it as `after`.
 */
export async function logsAfter(
  database: Database,
  { where }: Pick<CompiledLogFilter, 'where'>,
  after: number,
  most: number,
): Promise<Pick<LogPage, 'rows' | 'last'>> {
  const newest = (await seqRange(database, {}))?.last ?? after
  if (newest <= after) return { rows: [], last: after }
  const found =
    await sql<StoredLog>`select seq, created, level, message, data from ${rowsBetween(database, { first: after + 1, last: newest })}
    where ${where} order by seq limit ${most}`.execute(database.queries)
  const rows = found.rows
  return { rows, last: rows.length < most ? newest : (rows.at(-1)?.seq ?? after) }
}

async function momentOf(database: Database, seq: number): Promise<number | undefined> {
  const row = await database.queries.selectFrom('logs').select('created').where('seq', '>=', seq).orderBy('seq').limit(1).executeTakeFirst()
  return row === undefined ? undefined : dateMs(row.created)
}
