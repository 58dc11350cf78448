import { splitKey, type SeriesKey, type SeriesPoints } from '@vedette/protocol/metrics/series'
import { encodeBlock, MOST_CELLS } from '../codec/block-codec.ts'
import type { AppendedSample, PastHistory } from '../model/history.ts'
import type { SeriesNumbers } from '../model/numbered-series.ts'
import { joinTables, rowsWithin, type SeriesTable } from '../model/series-table.ts'
import { bucketStart, DAY_MS, HOUR_MS, monthStart } from '../model/tier.ts'
import type { UnitOfWork } from '../../platform/db/database.ts'
import { loadBlocks, partOf, putBlocks, readBlock, type Blocks, type Form, type PutBlock, type Span } from './block-table.ts'
import { GRACE_MS } from './maintenance.ts'
import { lockSystem, sealDays, sealHours, setSealed, storeLastUse, withSealed, type SealParts } from './seal.ts'
import { refreshNames, seriesOf } from './stored-history.ts'

/**
 * Returns the time (epoch ms) before which imported samples are written directly into compressed blocks. It is the end of the last hour
 * that ended at least 3 min before `nowMs`. Later samples are stored like new ones.
 */
export const fillableUntil = (nowMs: number): number => bucketStart(nowMs - GRACE_MS, HOUR_MS)

/**
 * Maximum number of cells (times × series) in a day's or month's block that an import writes: 4,000,000. Larger data is stored in shorter
 * blocks (hours or days), because a read decodes a whole block.
 */
const MOST_FILLED_CELLS = MOST_CELLS / 4

type FillParts = SealParts & { readonly append: (unit: UnitOfWork, samples: readonly AppendedSample[]) => Promise<void> }

/**
 * Stores past data (such as from an import) of one system and kind (system or containers) in compressed blocks. Samples since `untilMs` are
 * stored like new ones. If the history already has values for an earlier time, those stay.
 */
export async function fillHistory(parts: FillParts, past: PastHistory): Promise<void> {
  const { db, stored } = parts
  if (past.samples.times.length + past.tens.times.length + past.hours.times.length === 0) return
  await refreshNames(stored, db.kysely)
  if (stored.systems.find(past.system) === undefined) {
    await db.write((unit) => stored.systems.assure(unit, [past.system]), 'process')
    await refreshNames(stored, db.kysely)
  }
  for (let isFilled = false; !isFilled;) {
    const system = stored.systems.find(past.system)
    if (system === undefined) return
    // Ended hours and days are compressed first, so that no later compression counts their data twice.
    const earliestMs = (await stored.open.earliest(db.kysely, [system])).get(system)
    await sealHours(parts, { system, earliestMs, untilMs: past.untilMs })
    await sealDays(parts, system, past.untilMs)
    isFilled = await withSealed(stored, system, () => db.write((unit) => fillSystem(unit, parts, system, past), 'process'))
  }
}

/**
 * Stores past data of one system (`system`: its short number) in one transaction. Resolves to false, without storing data, if a sample
 * before `untilMs` has arrived meanwhile; the caller then tries again.
 */
async function fillSystem(unit: UnitOfWork, parts: FillParts, system: number, past: PastHistory): Promise<boolean> {
  const { db, stored, blocks, append } = parts
  const { untilMs, samples, tens, hours } = past
  const keys = new Set([samples, tens, hours].flatMap(({ series }) => series.map(({ key }) => key)))
  const own = await stored.series.assure(unit, keys)
  const numbers = own.size === 0 ? stored.numbers : seriesOf(stored.series, own)
  await lockSystem(unit, db, system)
  const openMs = (await stored.open.earliest(unit.sql, [system])).get(system)
  if (openMs !== undefined && openMs < untilMs) return false
  await setSealed(unit, system, untilMs)
  if ((stored.sealed.get(system) ?? 0) < untilMs) await stored.open.remove(unit, system, untilMs)
  const places = blocksOf(past)
  await putPlaces(unit, { ...blocks, numbers }, { system, kind: past.kind, places })
  const last = Math.max(...places.map(({ table }) => table.times.at(-1) ?? 0))
  if (places.length > 0) await storeLastUse(unit, numbersOf(keys, numbers), bucketStart(last, DAY_MS))
  await append(unit, samplesOf(rowsWithin(samples, untilMs, Number.MAX_SAFE_INTEGER), past))
  return true
}

const numbersOf = (keys: ReadonlySet<SeriesKey>, { byKey }: SeriesNumbers): readonly number[] => [...keys].map((key) => byKey(key).number)

/** Content of one compressed block to write from past data: form (such as `minutes of a day`), start in epoch ms, and values. */
type Place = { readonly form: Form; readonly start: number; readonly table: SeriesTable }

/**
 * Splits past data, such as from an import, into the content of compressed blocks. Ended days give blocks of a day or month, the current
 * day gives blocks of an hour or (for 2-hour averages) of a day.
 */
function blocksOf({ untilMs, samples, tens, hours }: PastHistory): readonly Place[] {
  const today = bucketStart(untilMs, DAY_MS)
  const dayOf = (atMs: number): number => bucketStart(atMs, DAY_MS)
  const hourOf = (atMs: number): number => bucketStart(atMs, HOUR_MS)
  const until = (table: SeriesTable, toMs: number): SeriesTable => rowsWithin(table, 0, toMs)
  const since = (table: SeriesTable): SeriesTable => rowsWithin(table, today, untilMs)
  return [
    ...places(until(samples, today), { form: 'minutes of a day', startOf: dayOf, or: { form: 'minutes of an hour', startOf: hourOf } }),
    ...places(since(samples), { form: 'minutes of an hour', startOf: hourOf }),
    ...places(until(tens, today), { form: 'tens of a day', startOf: dayOf, or: { form: 'tens of an hour', startOf: hourOf } }),
    ...places(since(tens), { form: 'tens of an hour', startOf: hourOf }),
    ...places(until(hours, today), { form: 'hours of a month', startOf: monthStart, or: { form: 'hours of a day', startOf: dayOf } }),
    ...places(since(hours), { form: 'hours of a day', startOf: dayOf }),
  ]
}

type Shape = { readonly form: Form; readonly startOf: (atMs: number) => number; readonly or?: Shape }

function places(table: SeriesTable, { form, startOf, or }: Shape): readonly Place[] {
  const starts = [...new Set(table.times.map(startOf))]
  return starts.flatMap((start, at) => {
    const part = rowsWithin(table, start, starts[at + 1] ?? Number.MAX_SAFE_INTEGER)
    if (or !== undefined && part.times.length * part.series.length > MOST_FILLED_CELLS) return places(part, or)
    return [{ form, start, table: part }]
  })
}

type SystemPlaces = { readonly system: number; readonly kind: PastHistory['kind']; readonly places: readonly Place[] }

async function putPlaces(unit: UnitOfWork, access: Blocks, { system, kind, places: all }: SystemPlaces): Promise<void> {
  if (all.length === 0) return
  const stored = await loadBlocks(unit.sql, [system], spansOf(all, kind))
  const puts = all.map(({ form, start, table }): PutBlock => {
    const part = partOf(form, kind)
    const there = stored.find((block) => block.part === part && block.start === start)
    const before = there && readBlock(access, there)
    const whole = before === undefined ? table : joinTables([table, before])
    return { block: { system, part, start, data: encodeBlock(whole, access.numbers) }, replacedBytes: there?.data.length }
  })
  await putBlocks(unit, puts)
}

/**
 * Returns the ranges of existing blocks to load before `all` new blocks are merged with them. There is one range for each form (such as
 * `minutes of a day`), from the first to the last start of the new blocks.
 */
function spansOf(all: readonly Place[], kind: PastHistory['kind']): readonly Span[] {
  return [...Map.groupBy(all, ({ form }) => form)].map(([form, ofForm]) => {
    const starts = ofForm.map(({ start }) => start)
    return { part: partOf(form, kind), fromMs: Math.min(...starts), toMs: Math.max(...starts) + 1 }
  })
}

function samplesOf({ times, series }: SeriesTable, { system, kind }: PastHistory): readonly AppendedSample[] {
  const names = series.map(({ key }) => splitKey(key))
  return times.map((atMs, at) => {
    const known = series.flatMap(({ average }, place) => (Number.isNaN(average[at]) ? [] : [place]))
    const points: SeriesPoints = {
      things: known.map((place) => names[place]?.[0] ?? ''),
      fields: known.map((place) => names[place]?.[1] ?? ''),
      values: known.map((place) => series[place]?.average[at] ?? 0),
    }
    return { system, atMs, kinds: { [kind]: points } }
  })
}
