import { sql, type Transaction } from 'kysely'
import type { Tables } from '../schema.ts'

/**
 * Migration 19: adds `schema_version` to the table `hubs`: the number of migrations that each hub knows; 18 for hubs that do not write it.
 */
export async function addHubSchemas(transaction: Transaction<Tables>): Promise<void> {
  await sql`alter table hubs add column schema_version integer not null default 18`.execute(transaction)
}
