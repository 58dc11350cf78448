import { sql, type Transaction } from 'kysely'
import type { Tables } from '../schema.ts'

/** Migration 21: adds the columns `container` and `exit_code` to system events; null except in events of containers. */
export async function addContainerEvents(transaction: Transaction<Tables>, database: 'sqlite' | 'postgres'): Promise<void> {
  const text = sql.raw(database === 'sqlite' ? 'text' : 'text collate "C"')
  await sql`alter table system_events add column container ${text}`.execute(transaction)
  await sql`alter table system_events add column exit_code bigint`.execute(transaction)
}
