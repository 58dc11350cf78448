import { sql, type Transaction } from 'kysely'
import type { Tables } from '../schema.ts'

/** Migration 30: adds the table `deleted_tags`: tags that admins deleted in the last day, with the data to undo it. */
export async function addDeletedTags(transaction: Transaction<Tables>, database: 'sqlite' | 'postgres'): Promise<void> {
  const text = sql.raw(database === 'sqlite' ? 'text' : 'text collate "C"')
  await sql`create table deleted_tags (
    id ${text} primary key, tag ${text} not null, "by" ${text} not null, at bigint not null, removed ${text} not null)`.execute(transaction)
}
