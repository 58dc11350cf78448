import { sql } from 'kysely'
import type { Database } from '../src/platform/db/database.ts'

/** Resolves once a transaction of this PostgreSQL database waits for another one. */
export async function transactionWaits({ kysely }: Pick<Database, 'kysely'>): Promise<void> {
  const waits = sql<{ n: number }>`select count(*) as n from pg_stat_activity
    where datname = current_database() and cardinality(pg_blocking_pids(pid)) > 0`
  while ((await waits.execute(kysely)).rows[0]?.n === 0) await new Promise((resolve) => setImmediate(resolve))
}
