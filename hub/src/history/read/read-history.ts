import type { StoredKind } from '@vedette/protocol/metrics/series'
import type { Kysely } from 'kysely'
import { setImmediate as othersTurn } from 'node:timers/promises'
import { QuestionTooSlowError } from '../../platform/db/database-failures.ts'
import type { Tables } from '../../platform/db/schema.ts'
import {
  type Blocks,
  type Form,
  type StoredBlock,
  describeSample,
  formOfPart,
  forms,
  loadBlocks,
  partOf,
  readBlock,
} from '../store/block-table.ts'
import type { HistoryQuery, SystemHistory } from '../model/history.ts'
import { tablesOf, type OpenSample } from '../store/open-end.ts'
import { loadSizes, type DaySize } from '../store/retention.ts'
import { joinRenamed } from '../model/renamed.ts'
import { rolledUp } from '../model/roll-up.ts'
import { refreshNames, type StoredHistory } from '../store/stored-history.ts'
import { emptyTable, joinTables, rowsWithin, type SeriesTable } from '../model/series-table.ts'
import { bucketMs, bucketStart, DAY_MS, type Tier, type Window } from '../model/tier.ts'

/**
 * Map from tier (resolution) to the list of forms of stored blocks (such as `minutes of an hour`) that contain its data. If blocks of two
 * forms have the same time, the form later in the list wins.
 */
const sources: Readonly<Record<Tier, readonly Form[]>> = {
  '1m': ['minutes of a day', 'minutes of an hour'],
  '10m': ['tens of a day', 'tens of an hour'],
  // Until a day is compacted, its two-hour buckets are computed from its ten-minute buckets.
  '2h': ['tens of an hour', 'hours of a month', 'hours of a day'],
}

/**
 * Reads a time range of one tier (resolution) for the requested systems, from compressed blocks and from samples not compressed yet.
 * Buckets must have ended by `nowMs` (epoch ms). Resolves to one result per system with data or warnings; rejects with
 * `QuestionTooSlowError` when several systems have too much data.
 */
export async function readSeries(
  kysely: Kysely<Tables>,
  stored: StoredHistory,
  { systems, kind, tier, window, isWanted }: HistoryQuery,
  nowMs: number,
): Promise<readonly SystemHistory[]> {
  await refreshNames(stored, kysely)
  const names = systems ?? [...stored.systems.names()]
  const requested = names.flatMap((name) => {
    const number = stored.systems.find(name)
    // Read first, so that samples that are sealed during the read are still found among the open samples.
    return number === undefined ? [] : [{ name, number, sealedMs: stored.sealed.get(number) ?? 0 }]
  })
  if (requested.length === 0) return []
  const buckets = wholeBuckets(window, tier, nowMs)
  // Open samples are read before blocks, so that a sample that is sealed in between is found twice (and counts once), never missed.
  const open = await readOpen(kysely, stored, requested, buckets)
  const spans = spansOf(tier, kind, buckets)
  const numbers = requested.map(({ number }) => number)
  if (requested.length > 1)
    await refuseTooMuch(kysely, { tier, window: buckets, share: requested.length / Math.max(stored.systems.size(), 1) })
  const blocks = Map.groupBy(await loadBlocks(kysely, numbers, spans), (block) => block.system)
  const answers: SystemHistory[] = []
  for (const { name, number, sealedMs } of requested) {
    const warnings: string[] = []
    const damaged: Blocks['damaged'] = (what, reason) => warnings.push(`Cannot read ${what}: ${reason}`)
    const access = { numbers: stored.numbers, damaged, isWanted }
    const samples = (open.get(number) ?? []).filter(({ at }) => at >= sealedMs)
    const fresh = tablesOf(samples, stored.numbers, (at, reason) => damaged(describeSample(at), reason), kind)(kind)
    const whole = await assembled({ tier, window: buckets }, access, blocks.get(number) ?? [], onlyWanted(fresh, isWanted))
    const found = rowsWithin(whole, buckets.fromMs, buckets.toMs)
    const table = kind === 'containers' ? joinRenamed(found) : found
    if (table.times.length > 0 || warnings.length > 0) answers.push({ system: name, table, warnings })
  }
  return answers
}

const onlyWanted = ({ times, series }: SeriesTable, isWanted: HistoryQuery['isWanted']): SeriesTable => ({
  times,
  series: isWanted === undefined ? series : series.filter(({ key }) => isWanted(key)),
})

/**
 * Limits a query's time range to buckets (10 min or 2 h) that start in it and have ended by `nowMs`. For single samples it ends at `nowMs`,
 * since later ones were stored before the clock was set back.
 */
function wholeBuckets({ fromMs, toMs }: Window, tier: Tier, nowMs: number): Window {
  if (tier === '1m') return { fromMs, toMs: Math.min(toMs, nowMs + 1) }
  const sizeMs = bucketMs[tier]
  return { fromMs: Math.ceil(fromMs / sizeMs) * sizeMs, toMs: Math.min(Math.ceil(toMs / sizeMs) * sizeMs, bucketStart(nowMs, sizeMs)) }
}

/**
 * Maximum estimated size of the compressed blocks that one read of several systems loads, in bytes: 300 MB. Above it the read rejects with
 * `QuestionTooSlowError`, because it would fill the memory.
 */
const MOST_BYTES = 300_000_000

async function refuseTooMuch(
  kysely: Kysely<Tables>,
  { tier, window, share }: { readonly tier: Tier; readonly window: Window; readonly share: number },
): Promise<void> {
  const sizes = (await loadSizes(kysely)).filter((size) => size.tier === tier)
  const inWindow = ({ day, bytes }: DaySize): number => {
    const lengthMs = tier === '2h' ? 31 * DAY_MS : DAY_MS
    const overlapMs = Math.min(day + lengthMs, window.toMs) - Math.max(day, window.fromMs)
    return bytes * share * Math.max(0, Math.min(1, overlapMs / lengthMs))
  }
  if (sizes.reduce((sum, size) => sum + inWindow(size), 0) <= MOST_BYTES) return
  throw new QuestionTooSlowError('Cannot answer: that is too much history at once; ask for fewer systems or a shorter time')
}

/**
 * Number of decoded numbers (100,000), over all reads of this process, after which a read lets the event loop do other work. Each
 * compressed block counts as `NUMBERS_OF_A_BLOCK` more.
 */
const NUMBERS_A_TURN = 100_000
const NUMBERS_OF_A_BLOCK = 5_000
let numbersRead = 0

/** Maximum number of systems whose uncompressed samples are read with one query for each: 20. More systems are read with a single query. */
const MOST_ONE_BY_ONE = 20

async function readOpen(
  kysely: Kysely<Tables>,
  stored: StoredHistory,
  requested: readonly { readonly number: number }[],
  window: Window,
): Promise<ReadonlyMap<number, readonly OpenSample[]>> {
  if (requested.length > MOST_ONE_BY_ONE)
    return stored.open.readMany(
      kysely,
      requested.map(({ number }) => number),
      window,
    )
  const found = new Map<number, readonly OpenSample[]>()
  for (const { number } of requested) found.set(number, await stored.open.read(kysely, number, window))
  return found
}

function spansOf(tier: Tier, kind: StoredKind, { fromMs, toMs }: Window) {
  return sources[tier].map((form) => {
    const { longestMs } = forms[form]
    // A block that starts before the window may reach into it.
    return { part: partOf(form, kind), fromMs: fromMs - longestMs + 1, toMs }
  })
}

/**
 * Returns how many numbers a decoded history table has, to measure the work. A value of a bucket (10 min or 2 h) counts as four: average,
 * minimum, maximum and count.
 */
function numbersIn({ times, series: { length, 0: first } }: SeriesTable = emptyTable): number {
  return times.length * length * (first?.extremes === undefined ? 1 : 4)
}

async function assembled(
  { tier, window }: { readonly tier: Tier; readonly window: Window },
  access: Blocks,
  blocks: readonly StoredBlock[],
  open: SeriesTable,
): Promise<SeriesTable> {
  const tables = new Map<StoredBlock, SeriesTable>()
  for (const block of blocks) {
    const table = readBlock(access, block)
    if (table !== undefined) tables.set(block, rowsWithin(table, window.fromMs, window.toMs))
    numbersRead += NUMBERS_OF_A_BLOCK + numbersIn(table)
    if (numbersRead < NUMBERS_A_TURN) continue
    numbersRead = 0
    await othersTurn()
  }
  const of = (form: Form): SeriesTable[] =>
    blocks
      .filter(({ part }) => formOfPart(part)?.form === form)
      .map((block) => tables.get(block))
      .filter((table) => table !== undefined)
  const parts = sources[tier].map(of)
  const last = tier === '1m' ? open : rolledUp(open, bucketMs['10m'])
  if (tier !== '2h') return joinTables([...parts.flat(), last])
  const [tens = [], ...made] = parts
  return joinTables([rolledUp(joinTables([...tens, last]), bucketMs['2h']), ...made.flat()])
}
