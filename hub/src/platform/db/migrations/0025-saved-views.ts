import { sql, type Transaction } from 'kysely'
import type { Tables } from '../schema.ts'
import { createCollection } from './0001-first-tables.ts'

/** Migration 25: adds saved views of the dashboard's page All Systems. An account has at most one view of a name. */
export async function addSavedViews(transaction: Transaction<Tables>, database: 'sqlite' | 'postgres'): Promise<void> {
  await createCollection(transaction, database, 'saved_views', {
    user: 'text',
    name: 'text',
    shared: 'flag',
    search: 'text',
    created: 'text',
    updated: 'text',
  })
  await sql`create unique index saved_views_user_name on saved_views ("user", name)`.execute(transaction)
  await sql`create index saved_views_shared on saved_views (shared)`.execute(transaction)
}
