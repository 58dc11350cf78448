import { sql, type Transaction } from 'kysely'
import type { Tables } from '../schema.ts'
import { createCollection } from './0001-first-tables.ts'

/**
 * Migration 28: adds the collections `system_fields` (fields that admins define) and `system_notes` (notes, links and values of those
 * fields, at most one record per system).
 */
export async function addSystemNotes(transaction: Transaction<Tables>, database: 'sqlite' | 'postgres'): Promise<void> {
  const dates = { created: 'text', updated: 'text' } as const
  await createCollection(transaction, database, 'system_fields', { name: 'text', kind: 'text', unit: 'text', ...dates })
  await sql`create unique index system_fields_name on system_fields (lower(name))`.execute(transaction)
  await createCollection(transaction, database, 'system_notes', {
    system: 'text',
    notes: 'text',
    links: 'text',
    values: 'text',
    ...dates,
  })
  await sql`create unique index system_notes_system on system_notes (system)`.execute(transaction)
}
