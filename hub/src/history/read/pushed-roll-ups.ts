import type { Clock } from '../../platform/clock.ts'
import type { EventBus } from '../../platform/events/event-bus.ts'
import type { RecordSource } from '../../records/model/record-source.ts'
import { recordDate } from '../../records/model/stored-record.ts'
import { rolledUpTypes } from './stats-records.ts'
import { bucketStart } from '../model/tier.ts'

/**
 * Delay after the end of a bucket (10 min or longer) before its record in `system_stats` or `container_stats` is published, in ms (15 s).
 * It lets late samples arrive. The records of all systems follow within `SPREAD_MS`.
 */
const GRACE_MS = 15_000
const SPREAD_MS = 45_000
/**
 * Maximum age of a bucket (10 min or longer) whose record is still published to subscribers, in ms (5 min). Older buckets, such as after a
 * suspension of the hub, are skipped.
 */
const LONGEST_MS = 5 * 60_000
/**
 * Maximum number of record loads in one call of the function that publishes records of ended buckets: 50. Each load is for one system, one
 * bucket and one collection; the rest follow in the next calls.
 */
const SYSTEMS_AT_ONCE = 50

type PushParts = {
  readonly bus: EventBus
  /** Map from collection name (`system_stats`, `container_stats`) to the source that builds its records from the history. */
  readonly sources: ReadonlyMap<string, RecordSource>
  /** Function that resolves to the ids of all systems of the hub, for each of which records of ended buckets are published. */
  readonly systems: () => Promise<readonly string[]>
  readonly clock: Clock
}

/**
 * Returns a function to call every few seconds, which publishes new `system_stats` and `container_stats` records of averages (10 to 480
 * min) to subscribers. They follow 15 s to 1 min after a bucket's end. One call makes at most 50 loads; without subscribers the records are
 * skipped.
 */
export function pushedRollUps({ bus, sources, systems, clock }: PushParts): () => Promise<void> {
  let pushedUntilMs = clock.now()
  let waiting: (() => Promise<void>)[] = []

  async function push(collection: string, source: RecordSource, system: string, { type, endMs }: Ended): Promise<void> {
    if (!bus.isWatched(collection)) return
    const created = recordDate(endMs)
    for (const record of await source.load({ systems: [system], type, createdFrom: created, createdTo: created }))
      bus.publish({ action: 'create', collection, record })
  }

  /**
   * Resolves to the buckets (10 min to 480 min) to publish in `(fromMs, untilMs]` (epoch ms), one entry for each bucket and system. Each
   * system has its own delay after a bucket's end, so that the work is spread.
   */
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
    const fromMs = Math.max(pushedUntilMs, untilMs - LONGEST_MS)
    pushedUntilMs = untilMs
    const watched = [...sources].filter(([collection]) => bus.isWatched(collection))
    if (watched.length === 0) waiting = []
    else
      for (const { system, ...one } of await dueBetween(fromMs, untilMs))
        for (const [collection, source] of watched) waiting.push(() => push(collection, source, system, one))
    for (const work of waiting.splice(0, SYSTEMS_AT_ONCE)) await work()
  }
}

type Ended = { readonly type: string; readonly endMs: number }

/** Returns the list of buckets, of all record types (`10m` to `480m`), that ended in `(fromMs, toMs]` (epoch ms), with type and end. */
function endedBetween(fromMs: number, toMs: number): readonly Ended[] {
  return rolledUpTypes.flatMap(({ type, sizeMs }) => {
    const ends: Ended[] = []
    for (let endMs = bucketStart(toMs, sizeMs); endMs > fromMs; endMs -= sizeMs) ends.push({ type, endMs })
    return ends
  })
}
