import { sql, type Transaction } from 'kysely'
import type { Tables } from '../schema.ts'

/**
 * Migration 35: lets PostgreSQL rewrite the table of systems, so that its rows contain the columns that migration 24 added. Until then each
 * read of the table fills them in, row by row, which makes the list of systems up to 10 % slower. SQLite needs nothing.
 */
export async function rewriteSystems(transaction: Transaction<Tables>, database: 'sqlite' | 'postgres'): Promise<void> {
  // The type stays. Only an expression makes PostgreSQL rewrite the rows.
  if (database === 'postgres') await sql`alter table systems alter column name type text collate "C" using name || ''`.execute(transaction)
}
