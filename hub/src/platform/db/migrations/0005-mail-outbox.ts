import { sql, type Transaction } from 'kysely'
import type { Tables } from '../schema.ts'

/** Migration 5: adds the table `mail_outbox`, the queue of emails. */
export async function addMailOutbox(transaction: Transaction<Tables>, database: 'sqlite' | 'postgres'): Promise<void> {
  const text = sql.raw(database === 'sqlite' ? 'text' : 'text collate "C"')
  for (const statement of [
    sql`create table mail_outbox (id ${text} primary key, due bigint not null, expires bigint not null, attempts integer not null, job ${text} not null)`,
    sql`create index mail_outbox_due on mail_outbox (due)`,
  ])
    await statement.execute(transaction)
}
