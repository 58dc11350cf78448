import type { StoredKind } from '@vedette/protocol/metrics/series'
import type { Kysely } from 'kysely'
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
import { stretchesOf, type OpenSample } from '../store/open-end.ts'
import { loadSizes, type DaySize } from '../store/retention.ts'
import { joinRenamed } from '../model/renamed.ts'
import { rolledUp } from '../model/roll-up.ts'
import { refreshNames, type StoredHistory } from '../store/stored-history.ts'
import { emptyStretch, joined, within, type Stretch } from '../model/stretch.ts'
import { bucketMs, bucketStart, DAY_MS, type Tier, type Window } from '../model/tier.ts'
import { othersTurn } from '../store/turn.ts'

/** What each tier is read from, the later word last; the first ones are made from what is finer. */
const sources: Readonly<Record<Tier, readonly Form[]>> = {
  '1m': ['minutes of a day', 'minutes of an hour'],
  '10m': ['tens of a day', 'tens of an hour'],
  // Ten-minute buckets whose day is not over stand in for the two-hour buckets that are not made yet.
  '2h': ['tens of an hour', 'hours of a month', 'hours of a day'],
}

/** Reads a window of one tier, of the systems asked for: blocks, and what is made from the open end. */
export async function readHistory(
  kysely: Kysely<Tables>,
  stored: StoredHistory,
  { systems, kind, tier, window, isWanted }: HistoryQuery,
  nowMs: number,
): Promise<readonly SystemHistory[]> {
  await refreshNames(stored, kysely)
  const names = systems ?? [...stored.systems.names()]
  const asked = names.flatMap((name) => {
    const number = stored.systems.find(name)
    // As it is before anything is read: what is sealed later is found in the open end still.
    return number === undefined ? [] : [{ name, number, sealedMs: stored.sealed.get(number) ?? 0 }]
  })
  if (asked.length === 0) return []
  const buckets = wholeBuckets(window, tier, nowMs)
  // The open end first: what is sealed in between is then found twice, and counts once.
  const open = await readOpen(kysely, stored, asked, buckets)
  const spans = spansOf(tier, kind, buckets)
  const numbers = asked.map(({ number }) => number)
  if (asked.length > 1) await refuseTooMuch(kysely, { tier, window: buckets, share: asked.length / Math.max(stored.systems.size(), 1) })
  const blocks = Map.groupBy(await loadBlocks(kysely, numbers, spans), (block) => block.system)
  const answers: SystemHistory[] = []
  for (const { name, number, sealedMs } of asked) {
    const warnings: string[] = []
    const damaged: Blocks['damaged'] = (what, reason) => warnings.push(`Cannot read ${what}: ${reason}`)
    const access = { numbers: stored.numbers, damaged, isWanted }
    const samples = (open.get(number) ?? []).filter(({ at }) => at >= sealedMs)
    const fresh = stretchesOf(samples, stored.numbers, (at, reason) => damaged(describeSample(at), reason), kind)(kind)
    const whole = await assembled({ tier, window: buckets }, access, blocks.get(number) ?? [], onlyWanted(fresh, isWanted))
    const found = within(whole, buckets.fromMs, buckets.toMs)
    const stretch = kind === 'containers' ? joinRenamed(found) : found
    if (stretch.times.length > 0 || warnings.length > 0) answers.push({ system: name, stretch, warnings })
  }
  return answers
}

const onlyWanted = ({ times, series }: Stretch, isWanted: HistoryQuery['isWanted']): Stretch => ({
  times,
  series: isWanted === undefined ? series : series.filter(({ key }) => isWanted(key)),
})

/**
 * Buckets whose starts lie in the window and that are over. Samples of the future were stored before the clock was set back: they are kept, and
 * shown when their time has come.
 */
function wholeBuckets({ fromMs, toMs }: Window, tier: Tier, nowMs: number): Window {
  if (tier === '1m') return { fromMs, toMs: Math.min(toMs, nowMs + 1) }
  const sizeMs = bucketMs[tier]
  return { fromMs: Math.ceil(fromMs / sizeMs) * sizeMs, toMs: Math.min(Math.ceil(toMs / sizeMs) * sizeMs, bucketStart(nowMs, sizeMs)) }
}

/** Of several systems together; more would fill the memory. */
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

/** Others have their turn after so many numbers, some milliseconds of work, whoever reads them; a block counts for more than it holds. */
const NUMBERS_A_TURN = 100_000
const NUMBERS_OF_A_BLOCK = 5_000
let numbersRead = 0

/** More systems than this are read all at once. */
const MOST_ONE_BY_ONE = 20

async function readOpen(
  kysely: Kysely<Tables>,
  stored: StoredHistory,
  asked: readonly { readonly number: number }[],
  window: Window,
): Promise<ReadonlyMap<number, readonly OpenSample[]>> {
  if (asked.length > MOST_ONE_BY_ONE) return stored.open.readAll(kysely, window)
  const found = new Map<number, readonly OpenSample[]>()
  for (const { number } of asked) found.set(number, await stored.open.read(kysely, number, window))
  return found
}

function spansOf(tier: Tier, kind: StoredKind, { fromMs, toMs }: Window) {
  return sources[tier].map((form) => {
    const { longestMs } = forms[form]
    // A block that begins before the window may reach into it.
    return { part: partOf(form, kind), fromMs: fromMs - longestMs + 1, toMs }
  })
}

/** Numbers that were decoded: of buckets four each. */
function numbersIn({ times, series: { length, 0: first } }: Stretch = emptyStretch): number {
  return times.length * length * (first?.extremes === undefined ? 1 : 4)
}

async function assembled(
  { tier, window }: { readonly tier: Tier; readonly window: Window },
  access: Blocks,
  blocks: readonly StoredBlock[],
  open: Stretch,
): Promise<Stretch> {
  const stretches = new Map<StoredBlock, Stretch>()
  for (const block of blocks) {
    const stretch = readBlock(access, block)
    if (stretch !== undefined) stretches.set(block, within(stretch, window.fromMs, window.toMs))
    numbersRead += NUMBERS_OF_A_BLOCK + numbersIn(stretch)
    if (numbersRead < NUMBERS_A_TURN) continue
    numbersRead = 0
    await othersTurn()
  }
  const of = (form: Form): Stretch[] =>
    blocks
      .filter(({ part }) => formOfPart(part)?.form === form)
      .map((block) => stretches.get(block))
      .filter((stretch) => stretch !== undefined)
  const parts = sources[tier].map(of)
  const last = tier === '1m' ? open : rolledUp(open, bucketMs['10m'])
  if (tier !== '2h') return joined([...parts.flat(), last])
  const [tens = [], ...made] = parts
  return joined([rolledUp(joined([...tens, last]), bucketMs['2h']), ...made.flat()])
}
