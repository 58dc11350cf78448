import { sql, type Transaction } from 'kysely'
import type { Tables } from '../schema.ts'

/** Migration 13: adds the log tables on PostgreSQL. With SQLite the log has its own file, so that its writes do not block the others. */
export async function addLogs(transaction: Transaction<Tables>, database: 'sqlite' | 'postgres'): Promise<void> {
  if (database === 'postgres') await createLogTables(transaction, database)
}

/** Creates the table of log entries and the table of log sizes per 10 minutes. Does nothing when they exist. */
export async function createLogTables(transaction: Transaction<Tables>, database: 'sqlite' | 'postgres'): Promise<void> {
  const sqlite = database === 'sqlite'
  const text = sql.raw(sqlite ? 'text' : 'text collate "C"')
  // Filters compare with a double. For a column of another type PostgreSQL would not use the index.
  const compared = sql.raw(sqlite ? 'integer' : 'double precision')
  const number = sql.raw(sqlite ? 'integer primary key autoincrement' : 'bigint generated always as identity primary key')
  for (const statement of [
    sql`create table if not exists logs (
      seq ${number}, created ${text} not null, level ${compared} not null, message ${text} not null, status ${compared},
      account ${text} not null, address ${text} not null, data ${text} not null)`,
    ...['level', 'status', 'account', 'address'].map(
      (column) => sql`create index if not exists ${sql.raw(`logs_${column} on logs (${column}${sqlite ? '' : ', seq'})`)}`,
    ),
    sql`create table if not exists log_stretches (
      start bigint not null, level integer not null, entries bigint not null, bytes bigint not null,
      "firstSeq" bigint not null, "lastSeq" bigint not null, primary key (start, level))`,
  ])
    await statement.execute(transaction)
}
