import { sql, type Transaction } from 'kysely'
import type { Tables } from '../schema.ts'

/** Migration 16: adds the table of hubs that use this database, and leases that assign each system and background task to one hub. */
export async function addHubs(transaction: Transaction<Tables>, database: 'sqlite' | 'postgres'): Promise<void> {
  const text = sql.raw(database === 'sqlite' ? 'text' : 'text collate "C"')
  for (const statement of [
    sql`create table hubs (
      id ${text} primary key, name ${text} not null, version ${text} not null, started_at bigint not null, seen_at bigint not null,
      shares integer not null, draining integer not null default 0)`,
    sql`create table system_leases (system ${text} primary key, hub ${text} not null, epoch bigint not null)`,
    sql`create index system_leases_hub on system_leases (hub)`,
    sql`create table duties (name ${text} primary key, hub ${text} not null, until bigint not null)`,
  ])
    await statement.execute(transaction)
}
