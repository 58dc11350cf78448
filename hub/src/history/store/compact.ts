import type { StoredKind } from '@vedette/protocol/metrics/series'
import type { Kysely } from 'kysely'
import { setImmediate as othersTurn } from 'node:timers/promises'
import type { UnitOfWork } from '../../platform/db/database.ts'
import type { Tables } from '../../platform/db/schema.ts'
import { encodeBlock, MOST_CELLS } from '../codec/block-codec.ts'
import { type Blocks, type Form, type StoredBlock, forms, loadBlocks, partOf, putBlocks, readBlock, removeBlocks } from './block-table.ts'
import { rolledUp } from '../model/roll-up.ts'
import { joinTables, type SeriesTable } from '../model/series-table.ts'
import { bucketMs, bucketStart, DAY_MS, monthStart } from '../model/tier.ts'

/**
 * Rule for joining short compressed history blocks (form `from`, such as `minutes of an hour`) to one longer block (form `to`). `startOf`
 * returns the longer block's start (epoch ms) for a time; `lengthMs` is its maximum length.
 */
type Joining = { readonly from: Form; readonly to: Form; readonly startOf: (atMs: number) => number; readonly lengthMs: number }

const minutesToDay: Joining = { from: 'minutes of an hour', to: 'minutes of a day', startOf: dayStart, lengthMs: DAY_MS }
const tensToDay: Joining = { from: 'tens of an hour', to: 'tens of a day', startOf: dayStart, lengthMs: DAY_MS }
const hoursToMonth: Joining = { from: 'hours of a day', to: 'hours of a month', startOf: monthStart, lengthMs: 31 * DAY_MS }

function dayStart(atMs: number): number {
  return bucketStart(atMs, DAY_MS)
}

/**
 * Maximum number of cells (times × series) in a day's compressed block of minutes: 4,000,000. Minutes of a larger day stay in blocks of one
 * hour, because reading an hour would decode the whole day.
 */
const MOST_JOINED_CELLS = MOST_CELLS / 4

/**
 * Resolves to a map from a system's short number to the start (epoch ms) of its first unjoined hour in `[fromMs, toMs)`. An hour is
 * unjoined while its compressed blocks are not part of a day's block. Systems without such an hour are absent.
 */
export async function firstToCompact(
  kysely: Kysely<Tables>,
  systems: readonly number[],
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
): Promise<ReadonlyMap<number, number>> {
  if (systems.length === 0) return new Map()
  const rows = await kysely
    .selectFrom('history_blocks')
    .select(['system', ({ fn }) => fn.min('start').as('start')])
    .where('system', 'in', systems)
    .where('part', 'in', [partOf('tens of an hour', 'system'), partOf('tens of an hour', 'containers')])
    .where('start', '>=', fromMs)
    .where('start', '<', toMs)
    .groupBy('system')
    .execute()
  return new Map(rows.map(({ system, start }) => [system, start]))
}

/**
 * Joins the hour blocks of one day (start in epoch ms) of a system to day blocks, per kind, and adds the day's 2-hour averages. Joins the
 * 2-hour averages of earlier months to month blocks. Resolves to the keys of the series with newly joined 10-minute averages.
 */
export async function compactDay(unit: UnitOfWork, access: Blocks, system: number, day: number): Promise<ReadonlySet<string>> {
  const seen = new Set<string>()
  for (const kind of ['system', 'containers'] as const) {
    await joinBlocks(unit, access, { system, kind, start: day }, minutesToDay)
    await othersTurn()
    const tens = await joinBlocks(unit, access, { system, kind, start: day }, tensToDay)
    await othersTurn()
    if (tens === undefined) continue
    for (const { key } of tens.series) seen.add(key)
    await putHours(unit, access, { system, kind, day }, tens)
    const month = monthStart(day)
    const ended = await loadBlocks(unit.sql, [system], [{ part: partOf('hours of a day', kind), fromMs: 0, toMs: month }])
    for (const start of new Set(ended.map((block) => monthStart(block.start))))
      await joinBlocks(unit, access, { system, kind, start }, hoursToMonth)
    await othersTurn()
  }
  return seen
}

async function putHours(
  unit: UnitOfWork,
  access: Blocks,
  { system, kind, day }: { readonly system: number; readonly kind: StoredKind; readonly day: number },
  tens: SeriesTable,
): Promise<void> {
  const part = partOf('hours of a day', kind)
  const [there] = await loadBlocks(unit.sql, [system], [{ part, fromMs: day, toMs: day + 1 }])
  const before = there && readBlock(access, there)
  const hours = joinTables([...(before === undefined ? [] : [before]), rolledUp(tens, bucketMs['2h'])])
  const block = { system, part, start: day, data: encodeBlock(hours, access.numbers) }
  await putBlocks(unit, [{ block, replacedBytes: there?.data.length }])
}

/**
 * Joins short compressed history blocks into their longer block in the database, and resolves to its content as a table. A day of minutes
 * that is too large is returned, but not stored. Resolves to `undefined` when there are no readable short blocks, or the longer block is
 * damaged.
 */
async function joinBlocks(
  unit: UnitOfWork,
  access: Blocks,
  { system, kind, start }: { readonly system: number; readonly kind: StoredKind; readonly start: number },
  { from, to, startOf, lengthMs }: Joining,
): Promise<SeriesTable | undefined> {
  const shorter = { part: partOf(from, kind), fromMs: start, toMs: start + lengthMs }
  const longer = { part: partOf(to, kind), fromMs: start, toMs: start + 1 }
  const blocks = await loadBlocks(unit.sql, [system], [longer, shorter])
  const there = blocks.find(({ part }) => part === longer.part)
  const before = there && readBlock(access, there)
  // A damaged block stays unchanged for inspection.
  if (there !== undefined && before === undefined) return undefined
  const parts = blocks
    .filter((block) => block.part === shorter.part && startOf(block.start) === start)
    .map((block) => ({ block, table: readBlock(access, block) }))
    .filter((part): part is { block: StoredBlock; table: SeriesTable } => part.table !== undefined)
  if (parts.length === 0) return undefined
  const whole = joinTables([...(before === undefined ? [] : [before]), ...parts.map(({ table }) => table)])
  if (whole.times.length * whole.series.length > MOST_JOINED_CELLS && forms[from].tier === '1m') return whole
  const block = { system, part: longer.part, start, data: encodeBlock(whole, access.numbers) }
  await putBlocks(unit, [{ block, replacedBytes: there?.data.length }])
  await removeBlocks(unit, system, { parts: [shorter.part], starts: parts.map(({ block }) => block.start) })
  return whole
}
