import { sql } from 'kysely'
import type { Database } from '../src/platform/db/database.ts'

/** Deadline in ms of the wait for waiting transactions: 60 s. */
const LONGEST_MS = 60_000

/**
 * Resolves once `least` transactions of this PostgreSQL database (default: 1) wait for other ones. Rejects with a TimeoutError after 60 s.
 */
export async function transactionWaits({ kysely }: Pick<Database, 'kysely'>, least = 1): Promise<void> {
  const deadline = AbortSignal.timeout(LONGEST_MS)
  const waits = sql<{ n: number }>`select count(*) as n from pg_stat_activity
    where datname = current_database() and cardinality(pg_blocking_pids(pid)) > 0`
  while (((await waits.execute(kysely)).rows[0]?.n ?? 0) < least) {
    deadline.throwIfAborted()
    await new Promise((resolve) => setImmediate(resolve))
  }
}
