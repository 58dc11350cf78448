import type { StoredKind } from '@vedette/protocol/metrics/series'
import type { Kysely } from 'kysely'
import type { Tables } from '../db/schema.ts'
import { formOfPart, forms, loadBlocks, partOf, type Form, type StoredBlock } from './block-table.ts'
import type { HistoryQuery, SystemHistory } from './history.ts'
import { stretchesOf, type OpenSample } from './open-end.ts'
import { describeSample, readBlock, type Blocks } from './read-block.ts'
import { rolledUp } from './roll-up.ts'
import { refreshNames, type StoredHistory } from './stored-history.ts'
import { joined, within, type Stretch } from './stretch.ts'
import { bucketMs, bucketStart, type Tier, type Window } from './tier.ts'

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
  { systems, kind, tier, window }: HistoryQuery,
  nowMs: number,
): Promise<readonly SystemHistory[]> {
  await refreshNames(stored, kysely)
  const names = systems ?? [...stored.systems.names()]
  const asked = names.flatMap((name) => {
    const number = stored.systems.find(name)
    return number === undefined ? [] : [{ name, number }]
  })
  if (asked.length === 0) return []
  const buckets = wholeBuckets(window, tier, nowMs)
  // The open end first: what is sealed in between is then found twice, and counts once.
  const open = await readOpen(kysely, stored, asked, buckets)
  const numbers = systems === undefined ? undefined : asked.map(({ number }) => number)
  const found = Map.groupBy(await loadBlocks(kysely, numbers, spansOf(tier, kind, buckets)), (block) => block.system)
  return asked.flatMap(({ name, number }) => {
    const warnings: string[] = []
    const damaged: Blocks['damaged'] = (what, reason) => warnings.push(`Cannot read ${what}: ${reason}`)
    const access = { numbers: stored.numbers, damaged }
    const unsealedMs = Math.max(buckets.fromMs, stored.sealed.get(number) ?? 0)
    const samples = (open.get(number) ?? []).filter(({ at }) => at >= unsealedMs)
    const fresh = stretchesOf(samples, stored.numbers, (at, reason) => damaged(describeSample(at), reason))[kind]
    const stretch = within(assembled(tier, access, found.get(number) ?? [], fresh), buckets.fromMs, buckets.toMs)
    return stretch.times.length === 0 && warnings.length === 0 ? [] : [{ system: name, stretch, warnings }]
  })
}

/** Buckets whose starts lie in the window and that are over. */
function wholeBuckets({ fromMs, toMs }: Window, tier: Tier, nowMs: number): Window {
  if (tier === '1m') return { fromMs, toMs }
  const sizeMs = bucketMs[tier]
  return { fromMs: Math.ceil(fromMs / sizeMs) * sizeMs, toMs: Math.min(Math.ceil(toMs / sizeMs) * sizeMs, bucketStart(nowMs, sizeMs)) }
}

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

function assembled(tier: Tier, access: Blocks, blocks: readonly StoredBlock[], open: Stretch): Stretch {
  const of = (form: Form): Stretch[] =>
    blocks
      .filter(({ part }) => formOfPart(part)?.form === form)
      .map((block) => readBlock(access, block))
      .filter((stretch) => stretch !== undefined)
  const parts = sources[tier].map(of)
  const last = tier === '1m' ? open : rolledUp(open, bucketMs['10m'])
  if (tier !== '2h') return joined([...parts.flat(), last])
  const [tens = [], ...made] = parts
  return joined([rolledUp(joined([...tens, last]), bucketMs['2h']), ...made.flat()])
}
