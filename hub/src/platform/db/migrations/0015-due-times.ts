import { sql, type Transaction } from 'kysely'
import type { Tables } from '../schema.ts'

/**
 * Migration 15: adds the column `scheduled` to queued deliveries and emails: the time at which their due time (`due`) was set. If it is in
 * the future, the clock was set back.
 */
export async function addDueTimes(transaction: Transaction<Tables>): Promise<void> {
  for (const statement of [
    sql`alter table deliveries add column scheduled bigint not null default 0`,
    sql`alter table mail_outbox add column scheduled bigint not null default 0`,
    sql`update deliveries set scheduled = at`,
  ])
    await statement.execute(transaction)
}
