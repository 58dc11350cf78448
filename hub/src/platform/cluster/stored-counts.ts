import { sql } from 'kysely'
import { databaseNow } from '../db/postgres/database-clock.ts'
import type { Database } from '../db/database.ts'
import type { AttemptCounts, CountedAttempt } from '../limits/attempt-counts.ts'
import type { SecretBox } from '../secrets/secret-box.ts'

const REMEMBERED_MS = 90 * 86_400_000

/**
 * SQL condition on a row of `attempt_counts` (rate-limit counters): its time window has ended, so counting starts again. A window that
 * begins in the future also counts as ended.
 */
const isOver = sql<boolean>`(attempt_counts.until <= ${databaseNow} or attempt_counts.since > ${databaseNow})`

type Window = { readonly key: string; readonly count: number; readonly waitMs: number }

/**
 * Creates the rate-limit counters of attempts ({@link AttemptCounts}) in PostgreSQL. Several hubs share the counts, so that all together
 * allow as many attempts as one. Keys are stored as digests.
 */
export function storedCounts(database: Database, secrets: Pick<SecretBox, 'digest'>): AttemptCounts {
  const digestOf = (key: string): string => secrets.digest('attempt_counts.key', key)
  const keyOf = ({ limit, key }: CountedAttempt): string => digestOf(`${limit.name} ${key}`)
  const rememberedKey = (key: string): string => digestOf(`remembered ${key}`)

  return {
    async admit(counted) {
      if (counted.length === 0) return undefined
      const mostByKey = new Map(counted.map((one) => [keyOf(one), one.limit.most]))
      return database.write(async ({ sql: transaction }) => {
        // Rows are locked in the order of their keys, so that two transactions cannot deadlock.
        const ordered = counted.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1))
        const rows = ordered.map((one) => sql`(${keyOf(one)}, ${databaseNow}, ${databaseNow} + ${one.limit.windowMs}::bigint, 0)`)
        const { rows: windows } = await sql<Window>`insert into attempt_counts (key, since, until, count) values ${sql.join(rows)}
          on conflict (key) do update set
            since = case when ${isOver} then excluded.since else attempt_counts.since end,
            until = case when ${isOver} then excluded.until else attempt_counts.until end,
            count = case when ${isOver} then 0 else attempt_counts.count end
          returning key, count, until - ${databaseNow} as "waitMs"`.execute(transaction)
        const full = windows.filter(({ key, count }) => count >= (mostByKey.get(key) ?? 0))
        if (full.length > 0) return Math.max(...full.map(({ waitMs }) => Math.max(1, Math.ceil(waitMs / 1000))))
        await addToCounts(transaction, [...mostByKey.keys()], 1)
        return undefined
      }, 'process')
    },
    async revert(counted) {
      if (counted.length > 0) await database.write((unit) => addToCounts(unit.sql, counted.map(keyOf), -1), 'process')
    },
    async reset(counted) {
      await database.write((unit) => unit.sql.deleteFrom('attempt_counts').where('key', '=', keyOf(counted)).execute(), 'process')
    },
    async remember(key) {
      await database.write(async (unit) => {
        await sql`insert into attempt_counts (key, since, until, count)
          values (${rememberedKey(key)}, ${databaseNow}, ${databaseNow} + ${REMEMBERED_MS}::bigint, 1)
          on conflict (key) do update set since = excluded.since, until = excluded.until`.execute(unit.sql)
      }, 'process')
    },
    async isRemembered(key) {
      const row = await database.kysely
        .selectFrom('attempt_counts')
        .select('key')
        .where('key', '=', rememberedKey(key))
        .where('until', '>', databaseNow)
        .executeTakeFirst()
      return row !== undefined
    },
  }
}

type Transaction = Parameters<Parameters<Database['write']>[0]>[0]['sql']

async function addToCounts(transaction: Transaction, keys: readonly string[], more: 1 | -1): Promise<void> {
  const count = sql<number>`greatest(0, count + ${sql.lit(more)})`
  await transaction.updateTable('attempt_counts').set({ count }).where('key', 'in', keys).execute()
}

/** Deletes rate-limit counters from the table `attempt_counts` whose time window has ended. */
export async function deleteEndedCounts(transaction: Transaction): Promise<void> {
  await transaction.deleteFrom('attempt_counts').where('until', '<=', databaseNow).execute()
}
