import type { SeriesValues } from '@vedette/protocol/metrics/series'
import type { Clock } from '../clock.ts'
import type { Database, UnitOfWork } from '../db/database.ts'
import type { AppendedSample, History, HistoryPoint, HistoryQuery } from './history.ts'
import { bucketOfSample, mergeBuckets, type Bucket } from './rollup.ts'
import { bucketMs, bucketStart, keptMs, tiers, type Tier } from './tier.ts'

/** A closed bucket waits this long for answers that are still on their way; later ones recompute it. */
const GRACE_MS = 15_000

/** Systems rolled up in one transaction: long enough to be cheap, short enough not to hold up samples. */
const SYSTEMS_AT_ONCE = 25

/** Rolled-up tiers and what each is made from. */
const sources: readonly { readonly tier: Tier; readonly from: Tier }[] = [
  { tier: '10m', from: '1m' },
  { tier: '2h', from: '10m' },
]

/** The history as rows of JSON, one a system, kind, tier and time. */
export function historyStore(db: Database, clock: Clock): History {
  async function append(unit: UnitOfWork, samples: readonly AppendedSample[]): Promise<void> {
    for (const sample of samples) await appendOne(unit, sample)
  }

  async function appendOne(unit: UnitOfWork, { system, atMs, kinds }: AppendedSample): Promise<void> {
    for (const [kind, values] of Object.entries(kinds)) {
      await put(unit, { system, kind, tier: '1m', at: atMs, data: JSON.stringify(values) })
      for (const { tier, from } of sources) {
        const start = bucketStart(atMs, bucketMs[tier])
        if (start + bucketMs[tier] + GRACE_MS <= clock.now()) await fill(unit, { system, kind, tier, from, start })
      }
    }
  }

  async function read({ systems, kind, tier, window }: HistoryQuery): Promise<readonly HistoryPoint[]> {
    let query = db.kysely
      .selectFrom('history_rows')
      .select(['system', 'at', 'data'])
      .where('kind', '=', kind)
      .where('tier', '=', tier)
      .where('at', '>=', window.fromMs)
      .where('at', '<', window.toMs)
    if (systems !== undefined) query = query.where('system', 'in', systems)
    const rows = await query.orderBy('at').orderBy('system').execute()
    return rows.map((row) => ({ system: row.system, atMs: row.at, bucket: parseBucket(tier, row.data) }))
  }

  async function maintain(): Promise<void> {
    const nowMs = clock.now()
    for (const { tier, from } of sources) await fillClosed(tier, from, nowMs)
    await db.write(async (unit) => {
      for (const tier of tiers) {
        await unit.sql
          .deleteFrom('history_rows')
          .where('tier', '=', tier)
          .where('at', '<', nowMs - keptMs[tier])
          .execute()
      }
    })
  }

  /** Buckets of `tier` that have closed and were not filled yet. What is filled is remembered in the same transaction. */
  async function fillClosed(tier: Tier, from: Tier, nowMs: number): Promise<void> {
    const closed = bucketStart(nowMs - GRACE_MS, bucketMs[tier])
    const filled = await filledUntil(tier)
    if (filled !== undefined && filled >= closed) return
    const open = await db.kysely
      .selectFrom('history_rows')
      .select(['system', 'kind', 'at'])
      .where('tier', '=', from)
      .where('at', '>=', filled ?? 0)
      .where('at', '<', closed)
      .execute()
    const buckets = new Map(
      open.map(({ system, kind, at }) => {
        const start = bucketStart(at, bucketMs[tier])
        return [`${system} ${kind} ${start}`, { system, kind, tier, from, start }]
      }),
    )
    const pending = [...buckets.values()]
    for (let first = 0; first < pending.length; first += SYSTEMS_AT_ONCE) {
      await db.write(async (unit) => {
        for (const bucket of pending.slice(first, first + SYSTEMS_AT_ONCE)) await fill(unit, bucket)
      }, 'process')
    }
    await db.write((unit) => remember(unit, tier, closed), 'process')
  }

  async function filledUntil(tier: Tier): Promise<number | undefined> {
    const row = await db.kysely.selectFrom('hub_state').select('value').where('name', '=', markOf(tier)).executeTakeFirst()
    return row === undefined ? undefined : Number(row.value)
  }

  return {
    append,
    read,
    maintain,
    forget: (systemId) =>
      db.write(async (unit) => {
        await unit.sql.deleteFrom('history_rows').where('system', '=', systemId).execute()
      }),
  }
}

type OpenBucket = { readonly system: string; readonly kind: string; readonly tier: Tier; readonly from: Tier; readonly start: number }

/** Computes one bucket from whatever exists of the finer tier; doing it again gives the same. */
async function fill(unit: UnitOfWork, { system, kind, tier, from, start }: OpenBucket): Promise<void> {
  const rows = await unit.sql
    .selectFrom('history_rows')
    .select('data')
    .where('system', '=', system)
    .where('kind', '=', kind)
    .where('tier', '=', from)
    .where('at', '>=', start)
    .where('at', '<', start + bucketMs[tier])
    .execute()
  if (rows.length === 0) return
  const bucket = mergeBuckets(rows.map((row) => parseBucket(from, row.data)))
  await put(unit, { system, kind, tier, at: start, data: JSON.stringify(bucket) })
}

type HistoryRow = { readonly system: string; readonly kind: string; readonly tier: Tier; readonly at: number; readonly data: string }

async function put(unit: UnitOfWork, row: HistoryRow): Promise<void> {
  await unit.sql
    .insertInto('history_rows')
    .values(row)
    .onConflict((conflict) => conflict.columns(['system', 'kind', 'tier', 'at']).doUpdateSet({ data: row.data }))
    .execute()
}

async function remember(unit: UnitOfWork, tier: Tier, untilMs: number): Promise<void> {
  const value = String(untilMs)
  await unit.sql
    .insertInto('hub_state')
    .values({ name: markOf(tier), value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute()
}

const markOf = (tier: Tier) => `history.filled.${tier}`

/** Rows are written by this file alone, so their JSON has one of its two shapes. */
function parseBucket(tier: Tier, data: string): Bucket {
  return tier === '1m' ? bucketOfSample(JSON.parse(data) as SeriesValues) : (JSON.parse(data) as Bucket)
}
