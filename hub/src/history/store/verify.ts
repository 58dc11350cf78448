import type { Kysely } from 'kysely'
import type { Tables } from '../../platform/db/schema.ts'
import { decodeBlock } from '../codec/block-codec.ts'
import { type StoredBlock, describePlace, describeSample, formOfPart, forms } from './block-table.ts'
import { DamagedBytesError } from '../../platform/byte-codec.ts'
import type { OpenSample } from './open-end.ts'
import { sampleDecoder } from '../codec/sample-codec.ts'
import type { StoredHistory } from './stored-history.ts'
import type { SeriesColumn, SeriesTable } from '../model/series-table.ts'
import { bucketMs, type Tier } from '../model/tier.ts'

/**
 * Result of a check of the whole stored history. It has numbers of blocks, bytes and values by tier (resolution), number and bytes of
 * uncompressed samples, and the number of problems found.
 */
export type HistoryCheck = {
  readonly tiers: Readonly<Record<Tier, { blocks: number; bytes: number; numbers: number }>>
  readonly open: { samples: number; bytes: number }
  problems: number
}

const ROWS_AT_ONCE = 200

/**
 * Reads the whole stored history and checks that it decodes. The times of a block must ascend and stay within its time bounds; averages
 * must lie between minimum and maximum. Calls `report` with one sentence per problem, and resolves to counts and sizes.
 */
export async function verifyHistory(
  kysely: Kysely<Tables>,
  stored: StoredHistory,
  report: (problem: string) => void,
): Promise<HistoryCheck> {
  const found: HistoryCheck = {
    tiers: {
      '1m': { blocks: 0, bytes: 0, numbers: 0 },
      '10m': { blocks: 0, bytes: 0, numbers: 0 },
      '2h': { blocks: 0, bytes: 0, numbers: 0 },
    },
    open: { samples: 0, bytes: 0 },
    problems: 0,
  }
  const complain = (problem: string): void => {
    found.problems++
    report(problem)
  }
  for await (const block of allBlocks(kysely)) checkBlock(stored, block, found, complain)
  const decode = sampleDecoder(stored.numbers)
  for await (const { at, data } of allOpen(kysely, stored)) {
    found.open.samples++
    found.open.bytes += data.length
    const problem = problemOf(() => {
      decode(data)
      return undefined
    })
    if (problem !== undefined) complain(`Cannot read ${describeSample(at)}: ${problem}`)
  }
  return found
}

function checkBlock(stored: StoredHistory, block: StoredBlock, found: HistoryCheck, complain: (problem: string) => void): void {
  const of = formOfPart(block.part)
  const name = stored.systems.nameOf(block.system) ?? `number ${block.system}`
  const about = `${describePlace(block)} of system ${name}`
  if (of === undefined) return complain(`Cannot read ${about}: nothing is known of such blocks`)
  const { tier, longestMs } = forms[of.form]
  const sums = found.tiers[tier]
  sums.blocks++
  sums.bytes += block.data.length
  const problem = problemOf(() => {
    const table = decodeBlock(block.data, stored.numbers)
    for (const { average } of table.series) for (const value of average) if (!Number.isNaN(value)) sums.numbers++
    return problemIn(table, { tier, fromMs: block.start, toMs: block.start + longestMs })
  })
  if (problem !== undefined) complain(`Cannot rely on ${about}: ${problem}`)
}

function problemIn(
  table: SeriesTable,
  { tier, fromMs, toMs }: { readonly tier: Tier; readonly fromMs: number; readonly toMs: number },
): string | undefined {
  const { times, series } = table
  if (times.length === 0) return 'it is empty'
  const outside = times.find((time) => time < fromMs || time >= toMs)
  if (outside !== undefined) return `it holds ${new Date(outside).toISOString()}`
  if (tier === '1m') return series.some(({ extremes }) => extremes !== undefined) ? 'it holds buckets where samples belong' : undefined
  const askew = times.find((time) => time % bucketMs[tier] !== 0)
  if (askew !== undefined) return `a bucket begins at ${new Date(askew).toISOString()}`
  const wrong = series.find((column) => !isInOrder(column))
  return wrong === undefined ? undefined : `the extremes of "${wrong.key}" do not enclose its average`
}

function isInOrder({ average, extremes }: SeriesColumn): boolean {
  if (extremes === undefined) return false
  const { minimum, maximum, count } = extremes
  return average.every((value, at) => {
    if (Number.isNaN(value)) return true
    return (minimum[at] ?? value) <= value && value <= (maximum[at] ?? value) && (count[at] ?? 0) >= 1
  })
}

function problemOf(check: () => string | undefined): string | undefined {
  try {
    return check()
  } catch (error) {
    if (error instanceof DamagedBytesError) return error.message
    throw error
  }
}

async function* allBlocks(kysely: Kysely<Tables>): AsyncGenerator<StoredBlock> {
  for (let last = 0; ;) {
    const rows = await kysely.selectFrom('history_blocks').selectAll().where('id', '>', last).orderBy('id').limit(ROWS_AT_ONCE).execute()
    yield* rows
    if (rows.length < ROWS_AT_ONCE) return
    last = rows.at(-1)?.id ?? last
  }
}

async function* allOpen(kysely: Kysely<Tables>, { systems, open }: StoredHistory): AsyncGenerator<OpenSample> {
  for (const name of systems.names()) {
    const system = systems.find(name)
    if (system !== undefined) yield* await open.read(kysely, system, { fromMs: Number.MIN_SAFE_INTEGER, toMs: Number.MAX_SAFE_INTEGER })
  }
}
