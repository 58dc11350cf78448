import { sql, type Transaction } from 'kysely'
import type { Tables } from '../schema.ts'

/**
 * Migration 34: adds columns for the severity of alerts and incidents, and for the first of two thresholds of an alert. Alerts and incidents
 * of before are critical.
 */
export async function addSeverities(transaction: Transaction<Tables>, database: 'sqlite' | 'postgres'): Promise<void> {
  const text = sql.raw(database === 'sqlite' ? 'text' : 'text collate "C"')
  const real = sql.raw(database === 'sqlite' ? 'real' : 'double precision')
  for (const statement of [
    sql`alter table alerts add column severity ${text} not null default ''`,
    sql`alter table alerts add column warning ${real} not null default 0`,
    sql`alter table alerts add column "warningMinutes" ${real} not null default 0`,
    sql`alter table alerts add column firing ${text} not null default ''`,
    sql`alter table alert_states add column severity ${text} not null default 'critical'`,
    sql`alter table incidents add column severity ${text} not null default 'critical'`,
  ])
    await statement.execute(transaction)
}
