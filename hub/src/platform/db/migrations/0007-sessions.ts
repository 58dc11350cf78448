import { sql, type Transaction } from 'kysely'
import type { Tables } from '../schema.ts'

/** Migration 7: adds login sessions, one row for each issued token, identified by its digest. */
export async function addSessions(transaction: Transaction<Tables>, database: 'sqlite' | 'postgres'): Promise<void> {
  const text = sql.raw(database === 'sqlite' ? 'text' : 'text collate "C"')
  for (const statement of [
    sql`create table session_tokens (
      digest ${text} primary key, session ${text} not null, account ${text} not null, collection ${text} not null,
      at bigint not null, expires bigint not null, address ${text} not null, browser ${text} not null, "by" ${text} not null, ended integer not null)`,
    sql`create index session_tokens_account on session_tokens (account, at)`,
    sql`create index session_tokens_session on session_tokens (session)`,
  ])
    await statement.execute(transaction)
}
