import { sql, type Transaction } from 'kysely'
import type { Tables } from '../schema.ts'

/** Migration 11: adds the table `system_events`: events of systems, such as a restart, and of the hub itself (with an empty `system`). */
export async function addSystemEvents(transaction: Transaction<Tables>, database: 'sqlite' | 'postgres'): Promise<void> {
  const sqlite = database === 'sqlite'
  const text = sql.raw(sqlite ? 'text' : 'text collate "C"')
  const number = sql.raw(sqlite ? 'integer primary key autoincrement' : 'bigint generated always as identity primary key')
  for (const statement of [
    sql`create table system_events (
      no ${number}, system ${text} not null, at bigint not null, kind ${text} not null, said ${text} not null)`,
    sql`create index system_events_system on system_events (system, at, no)`,
    sql`create index system_events_at on system_events (at)`,
  ])
    await statement.execute(transaction)
}
