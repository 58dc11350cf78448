import type { StoredKind } from '@vedette/protocol/metrics/series'
import { type ExpressionBuilder, type Kysely, sql } from 'kysely'
import { type IsWanted, decodeBlock } from '../codec/block-codec.ts'
import { DamagedBytesError } from '../../platform/byte-codec.ts'
import type { SeriesNumbers } from '../model/numbered-series.ts'
import type { SeriesTable } from '../model/series-table.ts'
import { DAY_MS, HOUR_MS, type Tier, bucketStart } from '../model/tier.ts'
import type { UnitOfWork } from '../../platform/db/database.ts'
import type { Tables } from '../../platform/db/schema.ts'

/**
 * Form of a history block (compressed samples or averages of one system): resolution (minutes, tens = ten minutes, hours = two hours) and
 * time span. Blocks of an hour are later joined to a day, those of a day to a month. If two forms contain the same time, the shorter span
 * wins.
 */
export type Form = 'minutes of an hour' | 'minutes of a day' | 'tens of an hour' | 'tens of a day' | 'hours of a day' | 'hours of a month'

type FormFacts = { readonly code: number; readonly tier: Tier; readonly longestMs: number }

/**
 * Map from form (resolution and time span) of a compressed history block to its properties. `code` is in the column `part` and never
 * changes; `tier` is the resolution, `longestMs` the maximum time span in ms.
 */
export const forms: Readonly<Record<Form, FormFacts>> = {
  'minutes of an hour': { code: 0, tier: '1m', longestMs: HOUR_MS },
  'minutes of a day': { code: 1, tier: '1m', longestMs: DAY_MS },
  'tens of an hour': { code: 2, tier: '10m', longestMs: HOUR_MS },
  'tens of a day': { code: 3, tier: '10m', longestMs: DAY_MS },
  'hours of a day': { code: 4, tier: '2h', longestMs: DAY_MS },
  'hours of a month': { code: 5, tier: '2h', longestMs: 31 * DAY_MS },
}

export const formNames = Object.keys(forms) as readonly Form[] // Object.keys forgets the key type of a constant object

const kindCodes: Readonly<Record<StoredKind, number>> = { system: 0, containers: 1 }

export const partOf = (form: Form, kind: StoredKind): number => forms[form].code * 2 + kindCodes[kind]

export function formOfPart(part: number): { readonly form: Form; readonly kind: StoredKind } | undefined {
  const form = formNames.find((name) => forms[name].code === Math.floor(part / 2))
  return form && { form, kind: part % 2 === 0 ? 'system' : 'containers' }
}

/**
 * Key of a compressed history block: short number of the system, `part`, and start in epoch ms. `part` is a number that stands for the
 * block's form and kind of series.
 */
export type BlockKey = { readonly system: number; readonly part: number; readonly start: number }
export type StoredBlock = BlockKey & { readonly data: Uint8Array }

/**
 * Selection of compressed history blocks of one `part` (number that stands for the blocks' form and kind) that start in `[fromMs, toMs)`,
 * epoch ms.
 */
export type Span = { readonly part: number; readonly fromMs: number; readonly toMs: number }

/**
 * Maximum number of systems whose compressed history blocks are loaded with one query: 100. More systems are loaded with several queries.
 */
const SYSTEMS_AT_ONCE = 100

const inSpan = (build: ExpressionBuilder<Tables, 'history_blocks'>, { part, fromMs, toMs }: Span) =>
  build.and([build('part', '=', part), build('start', '>=', fromMs), build('start', '<', toMs)])

/**
 * Resolves to the compressed history blocks of several systems (short numbers) in any of `spans`. A span is a range of start times for one
 * form and kind. The blocks of each system are in order of their start.
 */
export async function loadBlocks(
  kysely: Kysely<Tables>,
  systems: readonly number[],
  spans: readonly Span[],
): Promise<readonly StoredBlock[]> {
  const found: StoredBlock[] = []
  for (let first = 0; first < systems.length; first += SYSTEMS_AT_ONCE) {
    const rows = await kysely
      .selectFrom('history_blocks')
      .select(['system', 'part', 'start', 'data'])
      .where('system', 'in', systems.slice(first, first + SYSTEMS_AT_ONCE))
      .where((build) => build.or(spans.map((span) => inSpan(build, span))))
      .orderBy('start')
      .execute()
    for (const row of rows) found.push(row)
  }
  return found
}

/**
 * Compressed history block to insert or replace. `replacedBytes` is the size of the stored block that it replaces; `undefined` when there
 * is none.
 */
export type PutBlock = { readonly block: StoredBlock; readonly replacedBytes: number | undefined }

/**
 * Inserts or replaces compressed history blocks, each with a different key. Updates the total sizes by tier and day in the table
 * `history_sizes`, too.
 */
export async function putBlocks(unit: UnitOfWork, puts: readonly PutBlock[]): Promise<void> {
  if (puts.length === 0) return
  await unit.sql
    .insertInto('history_blocks')
    .values(puts.map(({ block: { system, part, start, data } }) => ({ system, part, start, data })))
    .onConflict((conflict) =>
      conflict.columns(['system', 'part', 'start']).doUpdateSet({ data: sql<Uint8Array>`${sql.raw('excluded.data')}` }),
    )
    .execute()
  const changes = puts.map(({ block: { part, start, data }, replacedBytes }) => ({
    part,
    start,
    blocks: replacedBytes === undefined ? 1 : 0,
    bytes: data.length - (replacedBytes ?? 0),
  }))
  await account(unit, changes)
}

/**
 * Conditions for deleting compressed history blocks of one system; all must hold, absent ones do not restrict. `parts`: numbers of form and
 * kind; `beforeMs`: start before (epoch ms); `starts`: list of starts (epoch ms). `most`: maximum number of blocks to delete.
 */
export type BlockSelection = {
  readonly parts?: readonly number[]
  readonly beforeMs?: number
  readonly starts?: readonly number[]
  readonly most?: number
}

/**
 * Deletes the selected compressed history blocks of one system (by short number), and subtracts their sizes in the table `history_sizes`.
 * Resolves to the number of deleted blocks.
 */
export async function removeBlocks(unit: UnitOfWork, system: number, { parts, beforeMs, starts, most }: BlockSelection): Promise<number> {
  let doomed = unit.sql.selectFrom('history_blocks').select('id').where('system', '=', system)
  if (parts !== undefined) doomed = doomed.where('part', 'in', parts)
  if (beforeMs !== undefined) doomed = doomed.where('start', '<', beforeMs)
  if (starts !== undefined) doomed = doomed.where('start', 'in', starts)
  if (most !== undefined) doomed = doomed.limit(most)
  const removed = await unit.sql
    .deleteFrom('history_blocks')
    .where('id', 'in', doomed)
    .returning(['part', 'start', sql<number>`length(data)`.as('bytes')])
    .execute()
  await account(
    unit,
    removed.map(({ part, start, bytes }) => ({ part, start, blocks: -1, bytes: -bytes })),
  )
  return removed.length
}

type Change = { readonly part: number; readonly start: number; readonly blocks: number; readonly bytes: number }

async function account(unit: UnitOfWork, changes: readonly Change[]): Promise<void> {
  const days = new Map<string, { tier: string; day: number; blocks: number; bytes: number }>()
  for (const { part, start, blocks, bytes } of changes) {
    const of = formOfPart(part)
    if (of === undefined) continue
    const { tier } = forms[of.form]
    const day = bucketStart(start, DAY_MS)
    const sum = days.get(`${tier} ${day}`) ?? { tier, day, blocks: 0, bytes: 0 }
    sum.blocks += blocks
    sum.bytes += bytes
    days.set(`${tier} ${day}`, sum)
  }
  if (days.size === 0) return
  await unit.sql
    .insertInto('history_sizes')
    .values([...days.values()])
    .onConflict((conflict) =>
      conflict.columns(['tier', 'day']).doUpdateSet({
        blocks: sql<number>`history_sizes.blocks + ${sql.raw('excluded.blocks')}`,
        bytes: sql<number>`history_sizes.bytes + ${sql.raw('excluded.bytes')}`,
      }),
    )
    .execute()
}

/**
 * Context for decoding compressed history blocks: the lookup of series by short number, and an optional filter of series keys. `damaged` is
 * called with a description of a damaged block and the reason.
 */
export type Blocks = {
  readonly numbers: SeriesNumbers
  readonly damaged: (what: string, reason: string) => void
  /** Function that returns true for the keys of the series to decode from a compressed history block. Absent: all series are decoded. */
  readonly isWanted?: IsWanted | undefined
}

/**
 * Decodes a compressed history block to a table of series. For a damaged block it calls `damaged` with a description of the block and the
 * reason, and returns `undefined`.
 */
export function readBlock({ numbers, damaged, isWanted }: Blocks, block: StoredBlock): SeriesTable | undefined {
  try {
    return decodeBlock(block.data, numbers, isWanted)
  } catch (error) {
    if (!(error instanceof DamagedBytesError)) throw error
    damaged(describePlace(block), error.message)
    return undefined
  }
}

/**
 * Returns a description of a compressed history block for log messages: `minutes of an hour from 2026-01-10T12:00:00.000Z (containers)`.
 */
export function describePlace({ part, start }: BlockKey): string {
  const of = formOfPart(part)
  return `${of === undefined ? `part ${part}` : of.form} from ${new Date(start).toISOString()} (${of?.kind ?? 'unknown'})`
}

export const describeSample = (atMs: number): string => `the sample of ${new Date(atMs).toISOString()}`
