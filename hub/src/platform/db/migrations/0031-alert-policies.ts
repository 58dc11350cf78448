import { sql, type Transaction } from 'kysely'
import type { Tables } from '../schema.ts'
import { createCollection } from './0001-first-tables.ts'

/**
 * Migration 31: adds the collection `alert_policies`, and a column that marks alerts which a policy has set. Existing alerts count as set
 * by their users.
 */
export async function addAlertPolicies(transaction: Transaction<Tables>, database: 'sqlite' | 'postgres'): Promise<void> {
  await createCollection(transaction, database, 'alert_policies', {
    user: 'text',
    tag: 'text',
    system: 'text',
    name: 'text',
    target: 'text',
    values: 'text',
    created: 'text',
    updated: 'text',
  })
  await sql`create unique index alert_policies_once on alert_policies ("user", tag, system, name, target)`.execute(transaction)
  await sql`alter table alerts add column inherited integer not null default 0`.execute(transaction)
}
