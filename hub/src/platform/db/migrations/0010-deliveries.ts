import { sql, type Transaction } from 'kysely'
import type { Tables } from '../schema.ts'

/** Migration 10: adds the table `deliveries`: messages to users' notification channels, queued or with their result. */
export async function addDeliveries(transaction: Transaction<Tables>, database: 'sqlite' | 'postgres'): Promise<void> {
  const text = sql.raw(database === 'sqlite' ? 'text' : 'text collate "C"')
  for (const statement of [
    sql`create table deliveries (
      id ${text} primary key, place bigint not null, owner ${text} not null, channel ${text} not null, kind ${text} not null,
      notices ${text} not null, job ${text} not null, state ${text} not null, at bigint not null, due bigint not null, expires bigint not null,
      attempts integer not null, done bigint, said ${text} not null)`,
    sql`create index deliveries_waiting on deliveries (state, due)`,
    sql`create index deliveries_channel on deliveries (channel, state, place)`,
    sql`create index deliveries_owner on deliveries (owner, at)`,
    sql`create index deliveries_at on deliveries (at)`,
  ])
    await statement.execute(transaction)
}
