import { sql } from 'kysely'
import type { Database } from '../../../platform/db/database.ts'
import type { CompiledLogFilter } from './log-filter.ts'
import { paceFor } from './log-pace.ts'
import { rowsBetween, inLogWindow } from './log-rows.ts'
import { dateMs, seqRange, BUCKET_MS, bucketOf, type LogWindow } from '../log-table.ts'

/**
 * Part of the log's histogram: the number of log entries of one level in one bar. `startMs` is the start of the bar's time interval in
 * epoch ms.
 */
export type LogBar = { readonly startMs: number; readonly level: number; readonly entries: number }

export type LogHistogram = {
  readonly barMs: number
  readonly bars: readonly LogBar[]
  readonly total: number
  /**
   * Time in epoch ms, rounded down, back to which entries were counted, from the newest, when the time limit of 2 s ended the count.
   * `undefined` when all were counted, or none matched in time.
   */
  readonly countedFromMs: number | undefined
}

const steps = [1, 2, 5, 10, 30, 60, 300, 600, 1_800, 3_600, 7_200, 21_600, 43_200, 86_400, 604_800].map((seconds) => seconds * 1000)
const MOST_BARS = 120
/**
 * Time limit for counting a histogram of the log, in ms (2 s). After it the histogram covers only the newest entries. The time suffices for
 * about 1 million entries.
 */
const BUDGET_MS = 2_000

/**
 * Returns the length in ms of a histogram's bars for a time range of `lengthMs`. It is the shortest of 15 fixed lengths (1 s to 1 week)
 * that gives at most 120 bars, or else 1 week.
 */
export const barFor = (lengthMs: number): number => steps.find((step) => lengthMs / step <= MOST_BARS) ?? 604_800_000

type Bounded = { readonly fromMs: number; readonly toMs: number }
type HistogramQuery = { readonly question: Pick<CompiledLogFilter, 'where'>; readonly window: Bounded; readonly isFiltered: boolean }

/**
 * Resolves to the numbers of log entries that match a filter, per time bar and level. Counts from the newest to the oldest and stops after
 * 2 s. Without a filter, bars of 10 min or longer come from stored counts.
 */
export async function logHistogram(
  database: Database,
  { question, window, isFiltered }: HistogramQuery,
  now = () => performance.now(),
): Promise<LogHistogram> {
  const barMs = barFor(window.toMs - window.fromMs)
  const counts = new Map<string, number>()
  const add = (atMs: number, level: number, entries: number): void => {
    const key = `${Math.floor(atMs / barMs) * barMs} ${level}`
    counts.set(key, (counts.get(key) ?? 0) + entries)
  }
  const isCounted = !isFiltered && barMs % BUCKET_MS === 0
  const countedFromMs = isCounted
    ? await addBuckets(database, window, add)
    : await countRows(database, { question, window, barMs, now }, add)
  const bars = [...counts].map(([key, entries]) => {
    const [startMs = 0, level = 0] = key.split(' ').map(Number)
    return { startMs, level, entries }
  })
  return {
    barMs,
    bars: bars.toSorted((a, b) => a.startMs - b.startMs || a.level - b.level),
    total: bars.reduce((sum, { entries }) => sum + entries, 0),
    countedFromMs,
  }
}

type Add = (atMs: number, level: number, entries: number) => void

/**
 * Adds the stored counts of log entries per 10-minute bucket to a histogram, by calling `add` for each bucket and level in the time range.
 * Buckets at the ends of the range count as a whole.
 */
async function addBuckets({ queries }: Database, { fromMs, toMs }: Bounded, add: Add): Promise<undefined> {
  const rows = await queries
    .selectFrom('log_stretches')
    .select(['start', 'level', 'entries'])
    .where('start', '>=', bucketOf(fromMs))
    .where('start', '<', toMs)
    .execute()
  for (const { start, level, entries } of rows) add(start, level, entries)
}

type Counting = {
  readonly question: Pick<CompiledLogFilter, 'where'>
  readonly window: LogWindow
  readonly barMs: number
  readonly now: () => number
}

async function countRows(database: Database, { question, window, barMs, now }: Counting, add: Add): Promise<number | undefined> {
  const range = await seqRange(database, window)
  if (range === undefined) return undefined
  // A date's first 16 characters are its minute, its first 19 the second.
  const characters = barMs >= 60_000 ? 16 : 19
  const rest = barMs >= 60_000 ? ':00.000Z' : '.000Z'
  const pace = paceFor(BUDGET_MS, now)
  let oldest: number | undefined
  for (let last = range.last; last >= range.first;) {
    const size = pace.next()
    if (size === 0) return oldest
    const from = Math.max(range.first, last - size + 1)
    const { rows } = await sql<{
      moment: string
      level: number
      entries: number
    }>`select substr(created, 1, ${sql.lit(characters)}) as moment, level, count(*) as entries
      from ${rowsBetween(database, { first: from, last })} where ${inLogWindow(window)}${question.where} group by 1, 2`.execute(
      database.queries,
    )
    for (const { moment, level, entries } of rows) {
      const atMs = dateMs(moment + rest)
      oldest = Math.min(oldest ?? atMs, atMs)
      add(atMs, level, entries)
    }
    pace.done(last - from + 1)
    last = from - 1
  }
  return undefined
}
