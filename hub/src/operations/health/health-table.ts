import { sql } from 'kysely'
import type { Database } from '../../platform/db/database.ts'
import type { HubHealthTable } from '../../platform/db/schema.ts'

/** Row of the table `hub_health`: CPU, memory, database size, connected agents and queue lengths of the hub, measured once a minute. */
export type HubHealth = Readonly<HubHealthTable>

/** Time for which the hub's own measurements stay in the database, in ms: 31 days, about 4 MB. */
const KEPT_MS = 31 * 86_400_000

/**
 * Stores the measurements of the hub itself (CPU, memory, queues) for one minute, and deletes rows older than 31 days. A second row with
 * the same time replaces the first.
 */
export async function saveHealth(database: Database, health: HubHealth): Promise<void> {
  await database.write(async ({ sql: transaction }) => {
    const { at: _, ...news } = health
    await transaction
      .insertInto('hub_health')
      .values(health)
      .onConflict((conflict) => conflict.column('at').doUpdateSet(news))
      .execute()
    await transaction
      .deleteFrom('hub_health')
      .where('at', '<', health.at - KEPT_MS)
      .execute()
  }, 'process')
}

export type HealthWindow = { readonly fromMs: number; readonly toMs: number; readonly stepMs: number }

/**
 * Loads the hub's stored measurements of itself from `fromMs` (inclusive) to `toMs` (exclusive, epoch ms), in steps of `stepMs` (ms),
 * oldest first. Each step has the average CPU, the minimum of agents and the maximum of all other values. Steps without rows are left out.
 */
export async function loadHealth({ kysely }: Database, { fromMs, toMs, stepMs }: HealthWindow): Promise<readonly HubHealth[]> {
  const step = sql.lit(stepMs)
  const start = sql<number>`(at / ${step}) * ${step}`
  return kysely
    .selectFrom('hub_health')
    .select(({ fn }) => [
      start.as('at'),
      fn.avg<number>('cpuPercent').as('cpuPercent'),
      fn.max('residentBytes').as('residentBytes'),
      fn.max('heapBytes').as('heapBytes'),
      fn.max('loopLateMs').as('loopLateMs'),
      fn.max('databaseBytes').as('databaseBytes'),
      fn.min('agents').as('agents'),
      fn.max('waitingSamples').as('waitingSamples'),
      fn.max('waitingMessages').as('waitingMessages'),
      fn.max('waitingLogs').as('waitingLogs'),
    ])
    .where('at', '>=', fromMs)
    .where('at', '<', toMs)
    .groupBy(start)
    .orderBy(start)
    .execute()
}

/**
 * Loads the newest measurement that the hub stored of itself (CPU, memory, agents), if it was made at or after `fromMs` (epoch ms).
 * Resolves to `undefined` if there is none.
 */
export async function loadNewestHealth({ kysely }: Database, fromMs: number): Promise<HubHealth | undefined> {
  return kysely.selectFrom('hub_health').selectAll().where('at', '>=', fromMs).orderBy('at', 'desc').limit(1).executeTakeFirst()
}

/** Resolves to the size of the hub's database in bytes, including indexes and free pages. On SQLite the WAL file is not counted. */
export async function databaseBytes({ kysely, name }: Database): Promise<number> {
  const question =
    name === 'sqlite'
      ? sql<{ bytes: number }>`select page_count * page_size as bytes from pragma_page_count(), pragma_page_size()`
      : sql<{ bytes: number }>`select pg_database_size(current_database()) as bytes`
  const [row] = (await question.execute(kysely)).rows
  return row?.bytes ?? 0
}

/** Resolves to the number of notification messages and emails that are queued in the database to be sent. */
export async function waitingMessages({ kysely }: Database): Promise<number> {
  const count = kysely.fn.countAll<number>().as('count')
  const [deliveries, emails] = await Promise.all([
    kysely.selectFrom('deliveries').select(count).where('state', '=', 'waiting').executeTakeFirst(),
    kysely.selectFrom('mail_outbox').select(count).executeTakeFirst(),
  ])
  return (deliveries?.count ?? 0) + (emails?.count ?? 0)
}
