import { sql, type Transaction } from 'kysely'
import type { Tables } from '../schema.ts'

/** Migration 14: adds the table `hub_health`: measurements of the hub itself, one row a minute. */
export async function addHubHealth(transaction: Transaction<Tables>, database: 'sqlite' | 'postgres'): Promise<void> {
  const real = sql.raw(database === 'sqlite' ? 'real' : 'double precision')
  await sql`create table hub_health (
    at bigint not null primary key, "cpuPercent" ${real} not null, "residentBytes" bigint not null, "heapBytes" bigint not null,
    "loopLateMs" ${real} not null, "databaseBytes" bigint, agents integer not null, "waitingSamples" integer not null,
    "waitingMessages" integer, "waitingLogs" integer not null)`.execute(transaction)
}
