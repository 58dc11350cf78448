import { sql } from 'kysely'
import type { Database, UnitOfWork } from '../../platform/db/database.ts'
import { insertRows } from '../../platform/db/many-rows.ts'
import type { LogBucketTable } from '../../platform/db/schema.ts'
import { bytesOf, type LogRow } from './log-entry.ts'

/** Length of a log bucket, in ms: 10 min. The hub counts the log entries of each bucket, and deletes them together. */
export const BUCKET_MS = 10 * 60_000

/** Returns the start of the 10-minute log bucket that contains a time; both in epoch ms. */
export const bucketOf = (atMs: number): number => Math.floor(atMs / BUCKET_MS) * BUCKET_MS

const columns = ['created', 'level', 'message', 'status', 'account', 'address', 'data'] as const

/** Inserts log rows in order and adds them to the counts of their 10-minute buckets. Resolves to the row number of the last one. */
export async function insertLogs(database: Database, rows: readonly LogRow[]): Promise<number> {
  return database.write(async (unit) => {
    const added = await insertRows<{ readonly seq: number }>(unit.sql, database.name, {
      table: 'logs',
      columns,
      rows: rows.map((row) => columns.map((column) => row[column])),
      returning: ['seq'],
    })
    const numbered = rows.map((row, at) => ({ ...row, seq: added[at]?.seq ?? 0 }))
    const counted = Map.groupBy(numbered, ({ created, level }) => `${bucketOf(dateMs(created))} ${level}`)
    for (const [key, group] of counted) {
      const [start = 0, level = 0] = key.split(' ').map(Number)
      const numbers = group.map(({ seq }) => seq)
      await count(unit, {
        start,
        level,
        entries: group.length,
        bytes: group.reduce((sum, row) => sum + bytesOf(row), 0),
        firstSeq: Math.min(...numbers),
        lastSeq: Math.max(...numbers),
      })
    }
    return added.reduce((last, { seq }) => Math.max(last, seq), 0)
  }, 'process')
}

/** Converts the date of a log row, such as `2026-11-21 06:30:00.000Z`, to epoch ms. */
export const dateMs = (created: string): number => Date.parse(created.replace(' ', 'T'))

async function count({ sql: transaction }: UnitOfWork, bucket: LogBucketTable): Promise<void> {
  await transaction
    .insertInto('log_stretches')
    .values(bucket)
    .onConflict((conflict) =>
      conflict.columns(['start', 'level']).doUpdateSet({
        entries: sql<number>`log_stretches.entries + excluded.entries`,
        bytes: sql<number>`log_stretches.bytes + excluded.bytes`,
        lastSeq: sql<number>`case when excluded."lastSeq" > log_stretches."lastSeq" then excluded."lastSeq" else log_stretches."lastSeq" end`,
      }),
    )
    .execute()
}

/** Time range of the log in epoch ms: `fromMs` inclusive, `toMs` exclusive. An absent end is unlimited. */
export type LogWindow = { readonly fromMs?: number | undefined; readonly toMs?: number | undefined }

/** Range of row numbers (`seq`) of stored log entries; `first` and `last` are inclusive. A log search reads only rows in it. */
export type SeqRange = { readonly first: number; readonly last: number }

/**
 * Resolves to the range of log row numbers that covers a time range, extended to whole 10-minute buckets. `undefined` when these buckets
 * have no rows.
 */
export async function seqRange({ queries }: Pick<Database, 'queries'>, { fromMs, toMs }: LogWindow): Promise<SeqRange | undefined> {
  const found = await queries
    .selectFrom('log_stretches')
    .select(({ fn }) => [fn.min<number | null>('firstSeq').as('first'), fn.max<number | null>('lastSeq').as('last')])
    .$if(fromMs !== undefined, (query) => query.where('start', '>=', bucketOf(fromMs ?? 0)))
    .$if(toMs !== undefined, (query) => query.where('start', '<', toMs ?? 0))
    .executeTakeFirst()
  if (found === undefined || found.first === null || found.last === null) return undefined
  return { first: found.first, last: found.last }
}

export type LogSize = { readonly entries: number; readonly bytes: number; readonly oldestMs: number | undefined }

export async function logSize({ queries }: Pick<Database, 'queries'>): Promise<LogSize> {
  const found = await queries
    .selectFrom('log_stretches')
    .select(({ fn }) => [
      fn.sum<number | null>('entries').as('entries'),
      fn.sum<number | null>('bytes').as('bytes'),
      fn.min<number | null>('start').as('oldest'),
    ])
    .executeTakeFirst()
  return { entries: found?.entries ?? 0, bytes: found?.bytes ?? 0, oldestMs: found?.oldest ?? undefined }
}
