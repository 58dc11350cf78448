import { sql, type Transaction } from 'kysely'
import type { Tables } from '../schema.ts'

/**
 * Migration 33: adds columns to the table of incidents: who acknowledged an incident with which note, until when it is snoozed, and its
 * reminders. Alerts get the threshold at which they resolve.
 */
export async function addAcknowledgements(transaction: Transaction<Tables>, database: 'sqlite' | 'postgres'): Promise<void> {
  const text = sql.raw(database === 'sqlite' ? 'text' : 'text collate "C"')
  const real = sql.raw(database === 'sqlite' ? 'real' : 'double precision')
  for (const statement of [
    sql`alter table incidents add column acknowledged bigint`,
    sql`alter table incidents add column acknowledger ${text} not null default ''`,
    sql`alter table incidents add column note ${text} not null default ''`,
    sql`alter table incidents add column snoozed bigint`,
    sql`alter table incidents add column remind bigint`,
    sql`alter table incidents add column reminders integer not null default 0`,
    sql`alter table alerts add column clear ${real} not null default 0`,
    sql`create index incidents_remind on incidents (remind) where remind is not null`,
  ])
    await statement.execute(transaction)
}
