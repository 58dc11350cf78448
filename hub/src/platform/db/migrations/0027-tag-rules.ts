import { sql, type Transaction } from 'kysely'
import type { Tables } from '../schema.ts'
import { createCollection } from './0001-first-tables.ts'

/** Migration 27: adds the collection `tag_rules`: filters that give tags to systems. */
export async function addTagRules(transaction: Transaction<Tables>, database: 'sqlite' | 'postgres'): Promise<void> {
  await createCollection(transaction, database, 'tag_rules', { tag: 'text', filter: 'text', created: 'text', updated: 'text' })
  await sql`create unique index tag_rules_once on tag_rules (tag, filter)`.execute(transaction)
}
