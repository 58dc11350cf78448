import { sql, type RawBuilder } from 'kysely'

/** Epoch milliseconds by PostgreSQL's clock at this moment of a transaction. The clocks of several hubs may differ. */
export const databaseNow: RawBuilder<number> = sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`
