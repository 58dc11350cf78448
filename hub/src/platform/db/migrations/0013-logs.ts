import { sql, type Transaction } from 'kysely'
import type { Tables } from '../schema.ts'

/** On a server the log is a table beside the others; the embedded database has a file of its own for it, so that neither waits for the other. */
export async function addLogs(transaction: Transaction<Tables>, database: 'sqlite' | 'postgres'): Promise<void> {
  if (database === 'postgres') await createLogTables(transaction, database)
}

/** The log, and how much of it there is in each ten minutes. Does nothing where they are there already. */
export async function createLogTables(transaction: Transaction<Tables>, database: 'sqlite' | 'postgres'): Promise<void> {
  const sqlite = database === 'sqlite'
  const text = sql.raw(sqlite ? 'text' : 'text collate "C"')
  // What filters compare numbers with is a double: another type would be found without its index.
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
