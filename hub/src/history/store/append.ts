import { keyOf, type SeriesPoints } from '@vedette/protocol/metrics/series'
import type { Clock } from '../../platform/clock.ts'
import type { UnitOfWork } from '../../platform/db/database.ts'
import type { Log } from '../../platform/log.ts'
import { ByteWriter } from '../codec/bytes.ts'
import type { AppendedSample } from '../model/history.ts'
import { type StoredHistory, numberOf, seriesOf } from './stored-history.ts'
import type { SeriesNumbers } from '../model/numbered-series.ts'
import type { NewSample } from './open-end.ts'
import { encodeSample, numbersAmong } from '../codec/sample-codec.ts'
import { HISTORY_BLOCKS, writeSamples } from './seal.ts'
import { bucketStart, HOUR_MS } from '../model/tier.ts'

/** Most warnings remembered as logged. Above it the list starts again, and warnings repeat once. */
const MOST_LOGGED = 10_000

/** Appends samples to the open table. Samples of an hour that is already sealed go into its blocks. */
export function appendSamples({ clock, log }: { readonly clock: Clock; readonly log: Log }) {
  const logged = new Set<string>()

  function warnOnce(what: string, system: string, field: string): void {
    const about = `${what} ${system} ${field}`
    if (logged.has(about)) return
    if (logged.size >= MOST_LOGGED) logged.clear()
    logged.add(about)
    log.warn(what, { system, field })
  }

  function believable({ system, atMs, kinds }: AppendedSample): AppendedSample {
    const nowMs = clock.now()
    if (atMs > nowMs) warnOnce('a sample of the future was stored as of now', system, '')
    const possible = (given: SeriesPoints): SeriesPoints => {
      const { points, leftOut } = numbersAmong(given)
      for (const key of leftOut) warnOnce('a field that is no number was left out', system, key)
      return points
    }
    return {
      system,
      atMs: Math.min(Math.trunc(atMs), nowMs),
      kinds: {
        ...(kinds.system && { system: possible(kinds.system) }),
        ...(kinds.containers && { containers: possible(kinds.containers) }),
      },
    }
  }

  return async (unit: UnitOfWork, stored: StoredHistory, given: readonly AppendedSample[]): Promise<void> => {
    if (given.length === 0) return
    const samples = given.map(believable)
    const systems = await stored.systems.assure(unit, new Set(samples.map(({ system }) => system)))
    const unknown = unknownKeys(samples, stored.numbers)
    const own = unknown.size === 0 ? new Map<string, number>() : await stored.series.assure(unit, unknown)
    const series = own.size === 0 ? stored.numbers : seriesOf(stored.series, own)
    const writer = new ByteWriter()
    const encoded = samples.map(({ system, atMs, kinds }) => ({
      system: numberOf(stored.systems, systems, system),
      at: atMs,
      data: encodeSample(writer, kinds, series),
    }))
    const late = await stored.open.add(unit, encoded)
    if (late.size === 0) return
    await unit.alone(HISTORY_BLOCKS)
    await takeIn(unit, series, [...late])
  }

  async function takeIn(unit: UnitOfWork, numbers: SeriesNumbers, late: readonly NewSample[]): Promise<void> {
    const blocks = { numbers, damaged: (_: unknown, reason: string) => log.error('a late sample replaced a damaged block', { reason }) }
    for (const [first, ...rest] of Map.groupBy(late, ({ system, at }) => `${system} ${bucketStart(at, HOUR_MS)}`).values()) {
      if (first === undefined) continue
      const samples = [first, ...rest].map((sample) => ({ ...sample, id: 0 }))
      await writeSamples(unit, blocks, { system: first.system, hour: bucketStart(first.at, HOUR_MS) }, samples)
    }
  }
}

/** Keys of series without a number. There are hardly ever any, so the search allocates nothing for known series. */
function unknownKeys(samples: readonly AppendedSample[], { find }: Pick<SeriesNumbers, 'find'>): ReadonlySet<string> {
  const unknown = new Set<string>()
  function lookAt(points: SeriesPoints | undefined): void {
    if (points === undefined) return
    for (let at = 0; at < points.values.length; at++) {
      const thing = points.things[at] ?? ''
      const field = points.fields[at] ?? ''
      if (find(thing, field) === undefined) unknown.add(keyOf(thing, field))
    }
  }
  for (const { kinds } of samples) {
    lookAt(kinds.system)
    lookAt(kinds.containers)
  }
  return unknown
}
