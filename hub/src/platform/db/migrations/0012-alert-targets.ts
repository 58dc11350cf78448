import { sql, type Transaction } from 'kysely'
import type { Tables } from '../schema.ts'

/** Migration 12: adds the column `target` to alerts, for alerts on one filesystem, network interface, container or service. */
export async function addAlertTargets(transaction: Transaction<Tables>, database: 'sqlite' | 'postgres'): Promise<void> {
  const text = sql.raw(database === 'sqlite' ? 'text' : 'text collate "C"')
  for (const statement of [
    sql`alter table alerts add column target ${text} not null default ''`,
    sql`drop index alerts_once`,
    sql`create unique index alerts_once on alerts ("user", system, name, target)`,
  ])
    await statement.execute(transaction)
}
