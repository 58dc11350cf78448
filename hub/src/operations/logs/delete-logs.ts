import { sql } from 'kysely'
import type { Database } from '../../platform/db/database.ts'
import { recordDate } from '../../records/model/stored-record.ts'
import type { LogSettings } from './log-settings.ts'
import { BUCKET_MS, bucketOf } from './log-table.ts'

const DAY_MS = 86_400_000
/**
 * Maximum number of log rows that one transaction deletes: 2,000. More rows are deleted in further transactions, so that other writers wait
 * only briefly.
 */
const ROWS_AT_ONCE = 2_000

type Limits = Pick<LogSettings, 'maxDays' | 'maxRows' | 'maxBytes'>

/** Number and bytes of the log entries in a 10-minute bucket, all levels together. `start` is in epoch ms. */
export type BucketSize = { readonly start: number; readonly entries: number; readonly bytes: number }

/**
 * Returns the starts (epoch ms) of the 10-minute log buckets to delete, oldest first. They are older than `maxDays` (days), or the oldest
 * beyond `maxRows` entries or `maxBytes`. The current bucket stays, unless `maxDays` is 0.
 */
export function expiredBuckets(buckets: readonly BucketSize[], { maxDays, maxRows, maxBytes }: Limits, nowMs: number): readonly number[] {
  if (maxDays === 0) return buckets.map(({ start }) => start).toSorted((a, b) => a - b)
  let [rows, bytes] = [0, 0]
  const expired: number[] = []
  for (const bucket of buckets.toSorted((a, b) => b.start - a.start)) {
    rows += bucket.entries
    bytes += bucket.bytes
    const isOld = bucket.start + BUCKET_MS <= nowMs - maxDays * DAY_MS
    if (isOld || ((rows > maxRows || bytes > maxBytes) && bucket.start !== bucketOf(nowMs))) expired.push(bucket.start)
  }
  return expired.toReversed()
}

/**
 * Deletes log entries beyond the maximum age, number and size, in small transactions. Resolves to the number of deleted rows. After an
 * interruption, the next call continues.
 */
export async function deleteOldLogs(database: Database, limits: Limits, nowMs: number): Promise<number> {
  const buckets = await database.kysely
    .selectFrom('log_stretches')
    .select(({ fn }) => [
      'start',
      fn.sum<number>('entries').as('entries'),
      fn.sum<number>('bytes').as('bytes'),
      fn.min<number>('firstSeq').as('first'),
      fn.max<number>('lastSeq').as('last'),
    ])
    .groupBy('start')
    .execute()
  let removed = 0
  for (const start of expiredBuckets(buckets, limits, nowMs)) {
    const { first = 0, last = 0 } = buckets.find((one) => one.start === start) ?? {}
    removed += await deleteRange(database, start, { first, last })
  }
  return removed
}

async function deleteRange(database: Database, start: number, { first, last }: { first: number; last: number }): Promise<number> {
  const [from, to] = [recordDate(start), recordDate(start + BUCKET_MS)]
  let removed = 0
  for (;;) {
    const gone = await database.write(async ({ sql: transaction }) => {
      const { rows } = await sql<{ seq: number }>`delete from logs where seq in (select seq from logs
        where seq between ${first} and ${last} and created >= ${from} and created < ${to} order by seq limit ${ROWS_AT_ONCE}) returning seq`.execute(
        transaction,
      )
      if (rows.length < ROWS_AT_ONCE) await transaction.deleteFrom('log_stretches').where('start', '=', start).execute()
      return rows.length
    }, 'process')
    removed += gone
    if (gone < ROWS_AT_ONCE) return removed
  }
}

/** Deletes all entries of the stored log, and the counts of entries by 10-minute bucket. */
export async function deleteAllLogs(database: Database): Promise<void> {
  await database.write(async ({ sql: transaction }) => {
    await (database.name === 'sqlite' ? sql`delete from logs` : sql`truncate logs`).execute(transaction)
    await transaction.deleteFrom('log_stretches').execute()
  })
}
