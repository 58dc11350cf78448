import type { Clock } from '../../platform/clock.ts'
import type { EventBus } from '../../platform/events/event-bus.ts'
import type { RecordSource } from '../../records/model/record-source.ts'
import { recordDate } from '../../records/model/record-date.ts'
import { rolledUpTypes } from './stats-records.ts'
import { bucketStart } from '../model/tier.ts'

/** A bucket waits this long for samples that are on their way, and then for its system's turn. */
const GRACE_MS = 15_000
const SPREAD_MS = 45_000
/** A hub that slept longer does not tell what it slept through. */
const LONGEST_MS = 5 * 60_000
/** Told in one go; what is left follows in the next. */
const SYSTEMS_AT_ONCE = 50

type PushParts = {
  readonly bus: EventBus
  /** By collection. */
  readonly sources: ReadonlyMap<string, RecordSource>
  /** Ids of all systems. */
  readonly systems: () => Promise<readonly string[]>
  readonly clock: Clock
}

/**
 * Tells those who watch the stats collections of each roll-up once its bucket is over: call it every few seconds. What is
 * not watched costs nothing; what closed before somebody watched is not told.
 */
export function pushedRollUps({ bus, sources, systems, clock }: PushParts): () => Promise<void> {
  let told = clock.now()
  let waiting: (() => Promise<void>)[] = []

  async function tell(collection: string, source: RecordSource, system: string, { type, endMs }: Ended): Promise<void> {
    if (!bus.isWatched(collection)) return
    const created = recordDate(endMs)
    for (const record of await source.load({ systems: [system], type, createdFrom: created, createdTo: created }))
      bus.publish({ action: 'create', collection, record })
  }

  /** What is due after `fromMs`, up to `untilMs`: each bucket that is over, at its system's turn. */
  async function dueBetween(fromMs: number, untilMs: number): Promise<readonly (Ended & { readonly system: string })[]> {
    const ended = endedBetween(fromMs - GRACE_MS - SPREAD_MS, untilMs - GRACE_MS)
    const ids = ended.length === 0 ? [] : await systems()
    const turns = ids.map((system, index) => ({ system, afterMs: GRACE_MS + Math.floor((index / ids.length) * SPREAD_MS) }))
    return ended.flatMap((one) =>
      turns
        .filter(({ afterMs }) => one.endMs + afterMs > fromMs && one.endMs + afterMs <= untilMs)
        .map(({ system }) => ({ ...one, system })),
    )
  }

  return async () => {
    const untilMs = clock.now()
    const fromMs = Math.max(told, untilMs - LONGEST_MS)
    told = untilMs
    const watched = [...sources].filter(([collection]) => bus.isWatched(collection))
    if (watched.length === 0) waiting = []
    else
      for (const { system, ...one } of await dueBetween(fromMs, untilMs))
        for (const [collection, source] of watched) waiting.push(() => tell(collection, source, system, one))
    for (const work of waiting.splice(0, SYSTEMS_AT_ONCE)) await work()
  }
}

type Ended = { readonly type: string; readonly endMs: number }

/** Buckets that ended in `(fromMs, toMs]`, of every type. */
function endedBetween(fromMs: number, toMs: number): readonly Ended[] {
  return rolledUpTypes.flatMap(({ type, sizeMs }) => {
    const ends: Ended[] = []
    for (let endMs = bucketStart(toMs, sizeMs); endMs > fromMs; endMs -= sizeMs) ends.push({ type, endMs })
    return ends
  })
}
