import { sql, type Kysely, type RawBuilder } from 'kysely'
import type { Clock } from '../../clock.ts'
import type { Tables } from '../schema.ts'

/** Epoch milliseconds by PostgreSQL's clock at this moment of a transaction. The clocks of several hubs may differ. */
export const databaseNow: RawBuilder<number> = sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`

/**
 * Milliseconds by which the hub's clock is certainly ahead of PostgreSQL's; negative when it is behind. The time of the query itself
 * counts for the hub, so a process that was frozen meanwhile gives 0.
 */
export async function clockDifference(kysely: Kysely<Tables>, clock: Clock): Promise<number> {
  const beforeMs = clock.now()
  const { rows } = await sql<{ now: number }>`select ${databaseNow} as now`.execute(kysely)
  const afterMs = clock.now()
  const databaseMs = rows[0]?.now ?? beforeMs
  if (beforeMs > databaseMs) return beforeMs - databaseMs
  return Math.min(0, afterMs - databaseMs)
}
