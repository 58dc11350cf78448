import { sql, type Transaction } from 'kysely'
import type { Tables } from '../schema.ts'

/**
 * Migration 18: on PostgreSQL, makes (system, at, id) the primary key of `history_open`, the samples not yet compressed. Any hub then
 * quickly finds those of one system. SQLite is unchanged.
 */
export async function findOpenSamples(transaction: Transaction<Tables>, database: 'sqlite' | 'postgres'): Promise<void> {
  if (database === 'sqlite') return
  for (const statement of [
    // Sealed samples, and those of deleted systems. They are deleted with their hour from now on.
    sql`delete from history_open as o where not exists (
      select 1 from history_systems as s where s.no = o.system and s.name is not null and o.at >= s.sealed)`,
    sql`alter table history_open drop constraint history_open_pkey`,
    sql`alter table history_open add primary key (system, at, id)`,
  ])
    await statement.execute(transaction)
}
