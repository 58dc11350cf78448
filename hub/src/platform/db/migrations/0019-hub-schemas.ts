import { sql, type Transaction } from 'kysely'
import type { Tables } from '../schema.ts'

/** Adds the number of migrations that each hub knows. Hubs that do not write it know 18. */
export async function addHubSchemas(transaction: Transaction<Tables>): Promise<void> {
  await sql`alter table hubs add column schema_version integer not null default 18`.execute(transaction)
}
