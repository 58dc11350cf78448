import { sql, type Transaction } from 'kysely'
import type { Tables } from '../schema.ts'

/** Migration 23: adds API keys, one row for each, identified by the SHA-256 of its text. */
export async function addApiKeys(transaction: Transaction<Tables>, database: 'sqlite' | 'postgres'): Promise<void> {
  const text = sql.raw(database === 'sqlite' ? 'text' : 'text collate "C"')
  for (const statement of [
    sql`create table api_keys (
      id ${text} primary key, digest ${text} not null unique, "user" ${text} not null, name ${text} not null, scope ${text} not null,
      created bigint not null, expires bigint, used bigint)`,
    sql`create index api_keys_user on api_keys ("user", created)`,
  ])
    await statement.execute(transaction)
}
