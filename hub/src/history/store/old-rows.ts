import type { SeriesValues, StoredKind } from '@vedette/protocol/metrics/series'
import { ownValue } from '@vedette/protocol/own-value'
import type { UnitOfWork } from '../../platform/db/database.ts'
import { encodeBlock } from '../codec/block-codec.ts'
import { type Blocks, loadBlocks, partOf, putBlocks, readBlock, type Span } from './block-table.ts'
import { finestStep, roundToStep } from '../model/precision.ts'
import { joinTables, type SeriesColumn, type SeriesTable } from '../model/series-table.ts'
import { bucketStart, DAY_MS, HOUR_MS, monthStart } from '../model/tier.ts'
import { writeHour } from './seal.ts'

/**
 * Averages of one interval (10 min or 2 h) in the format of Vedette's first version. Average, minimum, maximum and count are maps from
 * series key to number.
 */
type OldBucket = Readonly<Record<'average' | 'minimum' | 'maximum' | 'count', SeriesValues>>

/**
 * Group of history rows in the format of Vedette's first version, which becomes one compressed block. All are of one system, kind and
 * resolution, in `[fromMs, toMs)` (epoch ms).
 */
export type OldRows = {
  readonly system: string
  readonly kind: StoredKind
  readonly tier: '1m' | '10m' | '2h'
  readonly fromMs: number
  readonly toMs: number
  readonly rows: readonly { readonly at: number; readonly data: string }[]
}

/**
 * Resolves to the next history rows in the format of Vedette's first version that belong in one compressed block; `undefined` when none are
 * left. Rows of single samples come first, because averages are recomputed from samples.
 */
export async function loadOldRows(unit: UnitOfWork): Promise<OldRows | undefined> {
  for (const tier of ['1m', '10m', '2h'] as const) {
    const first = await unit.sql
      .selectFrom('history_rows')
      .select(['system', 'kind', 'at'])
      .where('tier', '=', tier)
      .limit(1)
      .executeTakeFirst()
    if (first === undefined) continue
    const { system, at } = first
    const kind = first.kind === 'containers' ? 'containers' : 'system'
    const [fromMs, toMs] = spanAround(tier, at)
    const rows = await unit.sql
      .selectFrom('history_rows')
      .select(['at', 'data'])
      .where('system', '=', system)
      .where('kind', '=', first.kind)
      .where('tier', '=', tier)
      .where('at', '>=', fromMs)
      .where('at', '<', toMs)
      .orderBy('at')
      .execute()
    return { system, kind, tier, fromMs, toMs, rows }
  }
  return undefined
}

function spanAround(tier: OldRows['tier'], at: number): readonly [number, number] {
  if (tier === '2h') return [monthStart(at), monthStart(monthStart(at) + 31 * DAY_MS)]
  const sizeMs = tier === '1m' ? HOUR_MS : DAY_MS
  return [bucketStart(at, sizeMs), bucketStart(at, sizeMs) + sizeMs]
}

export const keysOfOldRows = ({ tier, rows }: OldRows): ReadonlySet<string> =>
  new Set(rows.flatMap(({ data }) => Object.keys(tier === '1m' ? parse(data) : (parse(data) as OldBucket).average)))

/**
 * Parses the JSON text of a history row in the format of Vedette's first version: values of a sample or averages, by series key. Only that
 * version wrote such rows, so the JSON is not checked.
 */
const parse = (data: string): SeriesValues | OldBucket => JSON.parse(data) as SeriesValues | OldBucket

/**
 * Converts history rows in the format of Vedette's first version into compressed blocks and deletes the rows. If a block already has values
 * for the same time, those stay.
 */
export async function moveOldRows(unit: UnitOfWork, access: Blocks, old: OldRows, system: number): Promise<void> {
  const { kind, tier, fromMs } = old
  if (tier === '1m') {
    const stored = await storedMinutes(unit, access, old, system)
    const rows = old.rows.filter(({ at }) => !stored.has(at))
    await writeHour(unit, access, { system, hour: fromMs, samples: { [kind]: samplesOf({ ...old, rows }) } })
  } else {
    const part = partOf(tier === '10m' ? 'tens of a day' : 'hours of a month', kind)
    const [there] = await loadBlocks(unit.sql, [system], [blockAt(part, fromMs)])
    const known = there && readBlock(access, there)
    const table = joinTables([bucketsOf(old), ...(known === undefined ? [] : [known])])
    const block = { system, part, start: fromMs, data: encodeBlock(table, access.numbers) }
    await putBlocks(unit, [{ block, replacedBytes: there?.data.length }])
  }
  await unit.sql
    .deleteFrom('history_rows')
    .where('system', '=', old.system)
    .where('kind', '=', kind)
    .where('tier', '=', tier)
    .where('at', '>=', fromMs)
    .where('at', '<', old.toMs)
    .execute()
}

const blockAt = (part: number, fromMs: number): Span => ({ part, fromMs, toMs: fromMs + 1 })

/**
 * Resolves to the times (epoch ms) of a system's samples that are already in compressed blocks of the same hour or its day. Rows in the
 * first version's format do not replace those samples.
 */
async function storedMinutes(unit: UnitOfWork, access: Blocks, { kind, fromMs }: OldRows, system: number): Promise<ReadonlySet<number>> {
  const ofHour = blockAt(partOf('minutes of an hour', kind), fromMs)
  const ofDay = blockAt(partOf('minutes of a day', kind), bucketStart(fromMs, DAY_MS))
  const blocks = await loadBlocks(unit.sql, [system], [ofHour, ofDay])
  return new Set(blocks.flatMap((block) => readBlock(access, block)?.times ?? []))
}

function samplesOf(old: OldRows): SeriesTable {
  const values = old.rows.map(({ data }) => parse(data) as SeriesValues) // minutes are stored as SeriesValues
  return {
    times: old.rows.map(({ at }) => at),
    series: sortedKeys(old).map((key): SeriesColumn => ({ key, average: column(values, key) })),
  }
}

function bucketsOf(old: OldRows): SeriesTable {
  const values = old.rows.map(({ data }) => parse(data) as OldBucket) // buckets are stored as OldBucket
  const of = (key: string, part: keyof OldBucket): Float64Array =>
    column(
      values.map((bucket) => bucket[part]),
      key,
    )
  return {
    times: old.rows.map(({ at }) => at),
    series: sortedKeys(old).map((key): SeriesColumn => ({
      key,
      average: of(key, 'average'),
      extremes: { minimum: of(key, 'minimum'), maximum: of(key, 'maximum'), count: of(key, 'count') },
    })),
  }
}

const sortedKeys = (old: OldRows): readonly string[] => [...keysOfOldRows(old)].toSorted()

const column = (values: readonly SeriesValues[], key: string): Float64Array =>
  Float64Array.from(values, (one) => {
    const value = ownValue(one, key)
    return value === undefined ? Number.NaN : roundToStep(finestStep(key), value)
  })
