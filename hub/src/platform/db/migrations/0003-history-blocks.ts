import { sql, type Transaction } from 'kysely'
import type { Tables } from '../schema.ts'

/**
 * Migration 3: adds the tables of the history for uncompressed samples and compressed blocks. It moves no data; the running hub converts
 * the rows of `history_rows`, the table of the first version.
 */
export async function addHistoryBlocks(transaction: Transaction<Tables>, database: 'sqlite' | 'postgres'): Promise<void> {
  const sqlite = database === 'sqlite'
  const text = sql.raw(sqlite ? 'text' : 'text collate "C"')
  const bytes = sql.raw(sqlite ? 'blob' : 'bytea')
  // A deleted number is never reused: bytes that still hold it would change their meaning.
  const number = sql.raw(sqlite ? 'integer primary key autoincrement' : 'integer generated always as identity primary key')
  const order = sql.raw(sqlite ? 'integer primary key' : 'bigint generated always as identity primary key')
  for (const statement of [
    sql`create table history_systems (no ${number}, name ${text} unique, sealed bigint not null default 0)`,
    sql`create table history_series (no ${number}, name ${text} unique, used bigint not null default 0)`,
    sql`create table history_open (id ${order}, system integer not null, at bigint not null, data ${bytes} not null)`,
    sql`create table history_blocks (id ${order}, system integer not null, part smallint not null, start bigint not null, data ${bytes} not null)`,
    sql`create unique index history_blocks_place on history_blocks (system, part, start)`,
    sql`create table history_sizes (tier ${text} not null, day bigint not null, blocks bigint not null, bytes bigint not null, primary key (tier, day))`,
  ])
    await statement.execute(transaction)
  // The data are compressed already.
  if (!sqlite)
    for (const table of ['history_open', 'history_blocks'])
      await sql`alter table ${sql.table(table)} alter column data set storage external`.execute(transaction)
}
