import { sql, type Transaction } from 'kysely'
import type { Tables } from '../schema.ts'

/**
 * Migration 17: adds tables that several hubs share: the journal of changes, rate-limit counters, the load of each hub, and universal
 * tokens that are valid for an hour.
 */
export async function addSharedDecisions(transaction: Transaction<Tables>, database: 'sqlite' | 'postgres'): Promise<void> {
  const text = sql.raw(database === 'sqlite' ? 'text' : 'text collate "C"')
  const number = sql.raw(database === 'sqlite' ? 'integer primary key' : 'bigserial primary key')
  const real = sql.raw(database === 'sqlite' ? 'real' : 'double precision')
  // Without parentheses SQLite takes no expression as a default. Only PostgreSQL ever has rows.
  const id = sql.raw(database === 'sqlite' ? '0' : '(pg_current_xact_id()::text::bigint)')
  for (const statement of [
    sql`create table changes (
      no ${number}, "transaction" bigint not null default ${id}, at bigint not null, hub ${text} not null, event ${text} not null)`,
    sql`create index changes_transaction on changes ("transaction")`,
    sql`create table attempt_counts (key ${text} primary key, since bigint not null, until bigint not null, count integer not null)`,
    sql`create index attempt_counts_until on attempt_counts (until)`,
    sql`create table hub_loads (
      hub ${text} primary key, at bigint not null, "cpuPercent" ${real} not null, "residentBytes" bigint not null,
      "loopLateMs" ${real} not null)`,
    sql`create table temporary_tokens ("user" ${text} primary key, token ${text} not null, until bigint not null)`,
  ])
    await statement.execute(transaction)
}
