import type { StoredKind } from '@vedette/protocol/metrics/series'
import { sql } from 'kysely'
import { setImmediate as othersTurn } from 'node:timers/promises'
import { encodeBlock } from '../codec/block-codec.ts'
import { rebuiltBuckets } from '../model/rebuilt-buckets.ts'
import { type SeriesTable, emptyTable, joinTables, rowsWithin } from '../model/series-table.ts'
import { DAY_MS, HOUR_MS, bucketMs, bucketStart, monthStart } from '../model/tier.ts'
import {
  type Blocks,
  type Form,
  type PutBlock,
  type Span,
  type StoredBlock,
  describeSample,
  loadBlocks,
  partOf,
  putBlocks,
  readBlock,
} from './block-table.ts'
import { compactDay, firstToCompact } from './compact.ts'
import { type OpenSample, tablesOf } from './open-end.ts'
import type { StoredHistory } from './stored-history.ts'
import type { Database, UnitOfWork } from '../../platform/db/database.ts'

/**
 * Name (`history`) of the database lock that every transaction takes before it writes history blocks, after the lock of a system's row.
 * Inserting samples of uncompressed hours does not need it.
 */
export const HISTORY_BLOCKS = 'history'

/**
 * Dependencies of the functions that compress samples into blocks: the database, the in-memory index of the stored history, and the context
 * for decoding blocks.
 */
export type SealParts = { readonly db: Database; readonly stored: StoredHistory; readonly blocks: Blocks }

/**
 * Task to compress the hours of a system (`system`: its short number) that ended by `untilMs`, a full hour, into blocks. `earliestMs`: time
 * of its earliest uncompressed sample, `undefined` for none. Both are epoch ms.
 */
type OpenHours = { readonly system: number; readonly earliestMs: number | undefined; readonly untilMs: number }

/** Compresses the samples of a system's hours that ended by `untilMs` (epoch ms) into blocks, with one transaction per hour. */
export async function sealHours({ db, stored, blocks }: SealParts, { system, earliestMs, untilMs }: OpenHours): Promise<void> {
  for (let fromMs = earliestMs; fromMs !== undefined && bucketStart(fromMs, HOUR_MS) < untilMs;) {
    const hour = bucketStart(fromMs, HOUR_MS)
    await withSealed(stored, system, () =>
      db.write(async (unit) => {
        await setSealed(unit, system, hour + HOUR_MS)
        await unit.alone(HISTORY_BLOCKS)
        const samples = await stored.open.take(unit, system, { fromMs: hour, toMs: hour + HOUR_MS })
        await writeSamples(unit, blocks, { system, hour }, samples)
      }, 'process'),
    )
    stored.open.forget(system, hour + HOUR_MS)
    await othersTurn()
    // Later samples of sealed hours are added to their blocks.
    fromMs = hour + HOUR_MS < untilMs ? (await stored.open.earliest(db.kysely, [system])).get(system) : undefined
  }
}

/**
 * Locks a system's row and then the history blocks of all systems, until the transaction ends. It waits for transactions that store samples
 * of the system, and new ones wait for it.
 */
export async function lockSystem(unit: UnitOfWork, { dialect }: Database, system: number): Promise<void> {
  await sql`select no from history_systems where no = ${system} ${dialect.toChange}`.execute(unit.sql)
  await unit.alone(HISTORY_BLOCKS)
}

/**
 * Runs `transaction`, which changes the time up to which a system's samples are compressed, and resolves to its result. If it rejects, the
 * cached time is restored and the error passed on.
 */
export async function withSealed<T>({ sealed }: StoredHistory, system: number, transaction: () => Promise<T>): Promise<T> {
  const before = sealed.get(system)
  try {
    return await transaction()
  } catch (error) {
    if (before === undefined) sealed.delete(system)
    else sealed.set(system, before)
    throw error
  }
}

/**
 * Stores the time `untilMs` (epoch ms) up to which a system's samples are compressed, unless a later one is stored. From then on, late
 * samples from before that time go into blocks. Locks the system's row.
 */
export async function setSealed(unit: UnitOfWork, system: number, untilMs: number): Promise<void> {
  // Another hub may have sealed more. The row is locked in any case.
  const sealed = sql<number>`case when sealed < ${untilMs} then ${untilMs} else sealed end`
  await unit.sql.updateTable('history_systems').set({ sealed }).where('no', '=', system).execute()
}

/** Merges uncompressed samples of one hour, of both kinds (system, containers), into the compressed blocks of the hour. */
export async function writeSamples(
  unit: UnitOfWork,
  blocks: Blocks,
  { system, hour }: { readonly system: number; readonly hour: number },
  samples: readonly OpenSample[],
): Promise<void> {
  const of = tablesOf(samples, blocks.numbers, (at, reason) => blocks.damaged(describeSample(at), reason))
  await writeHour(unit, blocks, { system, hour, samples: { system: of('system'), containers: of('containers') } })
}

/**
 * Joins a system's compressed hour blocks to day blocks, for all days that ended by `untilMs` (epoch ms), with one transaction per day.
 * Later samples of such a day are added to its blocks.
 */
export async function sealDays(parts: SealParts, system: number, untilMs: number): Promise<void> {
  const { db, stored } = parts
  const toMs = bucketStart(untilMs, DAY_MS)
  let fromMs: number | undefined = 0
  while (fromMs !== undefined) {
    const earliestMs = (await stored.open.earliest(db.kysely, [system])).get(system)
    await sealHours(parts, { system, earliestMs, untilMs: toMs })
    // Mostly there is nothing to join; this check avoids the locks.
    if (!(await firstToCompact(db.kysely, [system], { fromMs, toMs })).has(system)) return
    fromMs = await joinFirstDay(parts, system, { fromMs, toMs })
    await othersTurn()
  }
}

type DayRange = { readonly fromMs: number; readonly toMs: number }

/**
 * Joins the hour blocks of the first unjoined day in a range to day blocks. Resolves to the time (epoch ms) from which the caller
 * continues; `undefined` when no day is left.
 */
async function joinFirstDay({ db, stored, blocks }: SealParts, system: number, range: DayRange): Promise<number | undefined> {
  return withSealed(stored, system, () =>
    db.write(async (unit) => {
      await lockSystem(unit, db, system)
      const first = (await firstToCompact(unit.sql, [system], range)).get(system)
      if (first === undefined) return undefined
      const day = bucketStart(first, DAY_MS)
      // Open samples of the day, which arrived after its hours were sealed, are sealed first.
      const openMs = (await stored.open.earliest(unit.sql, [system])).get(system)
      if (openMs !== undefined && openMs < day + DAY_MS) return range.fromMs
      const keys = await compactDay(unit, blocks, system, day)
      const used = [...keys].map((key) => stored.series.find(key)).filter((number) => number !== undefined)
      await storeLastUse(unit, used, day)
      if ((stored.sealed.get(system) ?? 0) < day + DAY_MS) {
        await setSealed(unit, system, day + DAY_MS)
        await stored.open.remove(unit, system, day + DAY_MS)
      }
      return day + DAY_MS
    }, 'process'),
  )
}

const NUMBERS_AT_ONCE = 500

/**
 * Stores for series (by short numbers) that they have data on `day` (its start in epoch ms), unless a later day is stored. Short numbers
 * whose last day is past retention can then be deleted.
 */
export async function storeLastUse(unit: UnitOfWork, numbers: readonly number[], day: number): Promise<void> {
  for (let first = 0; first < numbers.length; first += NUMBERS_AT_ONCE) {
    const some = numbers.slice(first, first + NUMBERS_AT_ONCE)
    await unit.sql.updateTable('history_series').set({ used: day }).where('no', 'in', some).where('used', '<', day).execute()
  }
}

const TEN_MS = bucketMs['10m']
const TWO_HOURS_MS = bucketMs['2h']

type HourSamples = {
  readonly system: number
  readonly hour: number
  /**
   * Samples of one hour to write, as a map from kind (system, containers) to table. The compressed blocks of an absent or empty kind stay
   * unchanged.
   */
  readonly samples: Readonly<Partial<Record<StoredKind, SeriesTable>>>
}

/**
 * Merges samples into the compressed blocks of one hour, and recomputes the averages (10 min, 2 h) that contain them. The first call
 * compresses the hour, later calls add late samples. While the hour's minutes are stored, repeating a call changes nothing.
 */
export async function writeHour(unit: UnitOfWork, access: Blocks, { system, hour, samples }: HourSamples): Promise<void> {
  const given = (['system', 'containers'] as const).flatMap((kind) => {
    const table = samples[kind]
    return table === undefined || table.times.length === 0 ? [] : [{ kind, table }]
  })
  if (given.length === 0) return
  const starts = startsAround(hour)
  const blocks = await loadBlocks(
    unit.sql,
    [system],
    given.flatMap(({ kind }) => spansAround(kind, starts)),
  )
  await putBlocks(
    unit,
    given.flatMap(({ kind, table }) => {
      const around = hourBlocksOf(access, blocks, { system, kind })
      addToHour(around, starts, table)
      return around.puts
    }),
  )
}

type Starts = { readonly hour: number; readonly day: number; readonly month: number; readonly pair: number }

const startsAround = (hour: number): Starts => ({
  hour,
  day: bucketStart(hour, DAY_MS),
  month: monthStart(hour),
  pair: bucketStart(hour, TWO_HOURS_MS),
})

/**
 * Access to the compressed blocks of one system around one hour. `table` decodes the block with this form (such as `minutes of an hour`)
 * and start, an absent or damaged one as empty. `put` adds a changed block to the list `puts`, to be stored afterwards.
 */
type HourBlocks = {
  readonly table: (form: Form, start: number) => SeriesTable
  readonly put: (form: Form, start: number, table: SeriesTable) => void
  readonly puts: readonly PutBlock[]
}

function addToHour(around: HourBlocks, { hour, day, month, pair }: Starts, samples: SeriesTable): void {
  const known = joinTables([
    rowsWithin(around.table('minutes of a day', day), hour, hour + HOUR_MS),
    around.table('minutes of an hour', hour),
  ])
  const tensBefore = joinTables([
    around.table('tens of a day', day),
    around.table('tens of an hour', pair),
    around.table('tens of an hour', pair + HOUR_MS),
  ])
  const tens = rebuiltBuckets(
    { before: rowsWithin(tensBefore, hour, hour + HOUR_MS), finer: known, changed: joinTables([known, samples]), samples },
    TEN_MS,
  )
  around.put('minutes of an hour', hour, joinTables([around.table('minutes of an hour', hour), samples]))
  around.put('tens of an hour', hour, tens)
  const hours = joinTables([around.table('hours of a month', month), around.table('hours of a day', day)])
  if (rowsWithin(hours, day, day + DAY_MS).times.length === 0) return
  const inPair = (table: SeriesTable): SeriesTable => rowsWithin(table, pair, pair + TWO_HOURS_MS)
  const remade = rebuiltBuckets(
    { before: inPair(hours), finer: inPair(tensBefore), changed: inPair(joinTables([tensBefore, tens])), samples },
    TWO_HOURS_MS,
  )
  around.put('hours of a day', day, joinTables([around.table('hours of a day', day), remade]))
}

function spansAround(kind: StoredKind, { hour, day, month, pair }: Starts): readonly Span[] {
  const span = (form: Form, fromMs: number, lengthMs = 1) => ({ part: partOf(form, kind), fromMs, toMs: fromMs + lengthMs })
  return [
    span('minutes of an hour', hour),
    span('minutes of a day', day),
    span('tens of an hour', pair, TWO_HOURS_MS),
    span('tens of a day', day),
    span('hours of a day', day),
    span('hours of a month', month),
  ]
}

function hourBlocksOf(
  access: Blocks,
  blocks: readonly StoredBlock[],
  { system, kind }: { readonly system: number; readonly kind: StoredKind },
): HourBlocks {
  const puts: PutBlock[] = []
  const found = (form: Form, start: number): StoredBlock | undefined =>
    blocks.find((block) => block.part === partOf(form, kind) && block.start === start)
  return {
    table(form, start) {
      const block = found(form, start)
      // Nothing can be added to a damaged block, so the new data replaces it.
      return (block && readBlock(access, block)) ?? emptyTable
    },
    put(form, start, table) {
      const block = { system, part: partOf(form, kind), start, data: encodeBlock(table, access.numbers) }
      puts.push({ block, replacedBytes: found(form, start)?.data.length })
    },
    puts,
  }
}
