import type { Kysely } from 'kysely'
import type { UnitOfWork } from '../../platform/db/database.ts'
import type { Tables } from '../../platform/db/schema.ts'
import { formNames, forms, partOf, removeBlocks } from './block-table.ts'
import { bucketStart, DAY_MS, monthStart, tiers, type Tier } from '../model/tier.ts'

/** Retention of the history: number of days by tier (resolution), and the maximum bytes of all tiers together (`undefined` = no limit). */
export type Retention = { readonly days: Readonly<Record<Tier, number>>; readonly mostBytes: number | undefined }

export const standardRetention: Retention = { days: { '1m': 90, '10m': 365, '2h': 5 * 365 }, mostBytes: undefined }

/**
 * Number and bytes of all systems' compressed history blocks of one tier (resolution) that start on one UTC day. `day` is its start in
 * epoch ms; `bytes` includes 60 bytes for each block's row.
 */
export type DaySize = { readonly tier: Tier; readonly day: number; readonly blocks: number; readonly bytes: number }

/** Overhead of a compressed block's row in bytes (60): key columns, index and unused space of pages. Measured on SQLite. */
export const ROW_BYTES = 60

export async function loadSizes(kysely: Kysely<Tables>): Promise<readonly DaySize[]> {
  const rows = await kysely.selectFrom('history_sizes').selectAll().where('blocks', '>', 0).orderBy('day').execute()
  return rows.flatMap(({ tier: name, day, blocks, bytes }) => {
    const tier = tiers.find((one) => one === name)
    return tier === undefined ? [] : [{ tier, day, blocks, bytes: bytes + blocks * ROW_BYTES }]
  })
}

/**
 * Resolves to the earliest time (epoch ms) at which the history of a tier (resolution) may have data. It is the start of the oldest stored
 * day, or 2 days ago if that is earlier.
 */
export async function oldestStored(kysely: Kysely<Tables>, tier: Tier, nowMs: number): Promise<number> {
  const days = (await loadSizes(kysely)).filter((size) => size.tier === tier).map(({ day }) => day)
  return Math.min(nowMs - 2 * DAY_MS, ...days)
}

/**
 * Returns a map from tier (resolution) to the start of its retention in epoch ms, as set in days. It is later if `sizes` exceed the byte
 * limit. Then the finest resolution loses its oldest days first; the last 2 days always stay.
 */
export function keptFrom({ days, mostBytes }: Retention, sizes: readonly DaySize[], nowMs: number): Readonly<Record<Tier, number>> {
  const from: Record<Tier, number> = {
    '1m': nowMs - days['1m'] * DAY_MS,
    '10m': nowMs - days['10m'] * DAY_MS,
    '2h': nowMs - days['2h'] * DAY_MS,
  }
  if (mostBytes === undefined) return from
  const kept = sizes.filter(({ tier, day }) => day + DAY_MS > from[tier])
  let excess = kept.reduce((sum, { bytes }) => sum + bytes, 0) - mostBytes
  for (const tier of tiers)
    for (const { tier: of, day, bytes } of kept) {
      if (excess <= 0) return from
      if (of !== tier || day > nowMs - 2 * DAY_MS) continue
      excess -= bytes
      from[tier] = Math.max(from[tier], day + DAY_MS)
    }
  return from
}

/** Returns true when any compressed history block may be older than the retention of its tier (resolution). */
export const isAnyOlder = (sizes: readonly DaySize[], from: Readonly<Record<Tier, number>>): boolean =>
  sizes.some(({ tier, day, blocks }) => blocks > 0 && day < from[tier])

/**
 * Creates a function of tier (resolution) and time (epoch ms). It returns true if the block that contains this time lies before the tier's
 * retention `from`, so that maintenance would delete it at once.
 */
export const expiryTest =
  (from: Readonly<Record<Tier, number>>): ((tier: Tier, atMs: number) => boolean) =>
  (tier, atMs) => {
    if (atMs >= from[tier]) return false
    return tier === '2h'
      ? monthStart(atMs) + forms['hours of a month'].longestMs <= from[tier]
      : bucketStart(atMs, DAY_MS) + DAY_MS <= from[tier]
  }

/**
 * Deletes a system's compressed blocks that lie completely before `from`, a map from resolution to the start of its retention (epoch ms).
 * Each block counts with the maximum length of its form, such as 31 days for a month.
 */
export async function dropOld(unit: UnitOfWork, system: number, from: Readonly<Record<Tier, number>>): Promise<void> {
  for (const form of formNames) {
    const { tier, longestMs } = forms[form]
    await removeBlocks(unit, system, {
      parts: [partOf(form, 'system'), partOf(form, 'containers')],
      beforeMs: from[tier] - longestMs + 1,
    })
  }
}
