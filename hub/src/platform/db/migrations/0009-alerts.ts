import { sql, type Transaction } from 'kysely'
import type { Tables } from '../schema.ts'

/**
 * Migration 9: adds the tables `alert_states` (pending and firing alerts), `incidents` (their firing periods) and `notices` (queued
 * notifications).
 */
export async function addAlerts(transaction: Transaction<Tables>, database: 'sqlite' | 'postgres'): Promise<void> {
  const text = sql.raw(database === 'sqlite' ? 'text' : 'text collate "C"')
  const real = sql.raw(database === 'sqlite' ? 'real' : 'double precision')
  for (const statement of [
    sql`create table alert_states (
      alert ${text} not null, target ${text} not null, phase ${text} not null, since bigint not null, due bigint, incident ${text} not null,
      primary key (alert, target))`,
    sql`create index alert_states_due on alert_states (due)`,
    sql`create table incidents (
      id ${text} primary key, alert ${text} not null, owner ${text} not null, system ${text} not null, kind ${text} not null,
      target ${text} not null, threshold ${real} not null, minutes integer not null, value ${real}, began bigint not null,
      ended bigint, ending ${text} not null)`,
    sql`create index incidents_owner on incidents (owner, began)`,
    sql`create index incidents_system on incidents (system, began)`,
    sql`create index incidents_alert on incidents (alert)`,
    sql`create table notices (
      id ${text} primary key, incident ${text} not null, transition ${text} not null, owner ${text} not null, system ${text} not null,
      at bigint not null, state ${text} not null, due bigint not null, body ${text} not null, unique (incident, transition))`,
    sql`create index notices_due on notices (state, due)`,
    sql`create index notices_owner on notices (owner, at)`,
    sql`create index notices_system on notices (system)`,
  ])
    await statement.execute(transaction)
}
