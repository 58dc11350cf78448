import { sql, type Transaction } from 'kysely'
import type { Tables } from '../schema.ts'

/** Migration 32: adds the column `cause` to the table of incidents: the system whose outage silenced the notification. */
export async function addSilencedIncidents(transaction: Transaction<Tables>): Promise<void> {
  await sql`alter table incidents add column cause text not null default ''`.execute(transaction)
}
