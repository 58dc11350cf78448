import { keyOf, type SeriesPoints } from '@vedette/protocol/metrics/series'
import type { Clock } from '../platform/clock.ts'
import type { Database, UnitOfWork } from '../platform/db/database.ts'
import type { EventBus } from '../platform/events/event-bus.ts'
import type { Log } from '../platform/log.ts'
import { ByteWriter } from '../platform/byte-codec.ts'
import { encodeSample, finitePoints } from './codec/sample-codec.ts'
import type { AppendedSample, History } from './model/history.ts'
import type { NumberedSeries, SeriesNumbers } from './model/numbered-series.ts'
import { bucketStart, HOUR_MS } from './model/tier.ts'
import { maintenance } from './store/maintenance.ts'
import type { NewSample } from './store/open-end.ts'
import { HISTORY_BLOCKS, writeSamples } from './store/seal.ts'
import { fillHistory } from './store/fill.ts'
import { readSeries } from './read/read-history.ts'
import { keptFrom, loadSizes, standardRetention, type Retention } from './store/retention.ts'
import { CONFIRMED_FOR_MS, confirmSeries, renewSeries, type ConfirmedSeries } from './store/used-series.ts'
import { loadStoredHistory, numberOf, refreshNames, seriesOf, type StoredHistory } from './store/stored-history.ts'

export type HistoryParts = {
  readonly db: Database
  readonly clock: Clock
  readonly bus: EventBus
  readonly log: Log
  readonly retention?: () => Promise<Retention>
  /** True when other hubs store samples in the same database as this hub; false by default. */
  readonly isShared?: boolean
}

/**
 * Creates the store of all measurements of systems in the database: recent samples in one table, older ones in compressed blocks. It loads
 * an index (short numbers of systems and series) at first use.
 */
export function historyStore({ db, clock, bus, log, retention = async () => standardRetention, isShared = false }: HistoryParts): History {
  let loading: Promise<StoredHistory> | undefined
  const stored = (): Promise<StoredHistory> =>
    (loading ??= loadStoredHistory(db).catch((error: unknown) => {
      loading = undefined
      throw error
    }))
  const { maintain, forget } = maintenance({ db, clock, log, retention, stored, isShared })
  const append = appendSamples({ clock, log })
  bus.subscribe(['systems'], ({ action, record, hub }) => {
    if (action !== 'delete') return
    // The hub that deleted the system removes its history from the database; other hubs only clear their memory.
    if (hub !== undefined)
      return void forgetLocally(record.id).catch((error: unknown) =>
        log.error('memory of a deleted system not freed', { system: record.id, error }),
      )
    forget(record.id).catch((error: unknown) => log.error('history of a deleted system not removed', { system: record.id, error }))
  })

  /**
   * Resolves to the in-memory index of the stored history (short numbers of systems and series). It includes the numbers that other hubs
   * have added to the database.
   */
  async function current(): Promise<StoredHistory> {
    const history = await stored()
    if (isShared) await refreshNames(history, db.kysely, 'always')
    return history
  }

  async function forgetLocally(id: string): Promise<void> {
    const history = await stored()
    const number = history.systems.find(id)
    if (number !== undefined) history.open.forget(number, Number.POSITIVE_INFINITY)
    history.systems.forget(id)
  }

  return {
    append: async (unit, samples) => append(unit, await stored(), samples),
    read: async (query) => readSeries(db.kysely, await current(), query, clock.now()),
    async keptFrom() {
      const kept = await retention()
      // Sizes are needed only when the retention has a byte limit.
      return keptFrom(kept, kept.mostBytes === undefined ? [] : await loadSizes(db.kysely), clock.now())
    },
    async systems() {
      const history = await current()
      await refreshNames(history, db.kysely)
      return [...history.systems.names()]
    },
    maintain,
    forget,
    async storePast(past) {
      const history = await current()
      const damaged = (what: string, reason: string): void => log.error('past data replaced a damaged block', { what, reason })
      await fillHistory(
        {
          db,
          stored: history,
          blocks: { numbers: history.numbers, damaged },
          append: (unit, samples) => append(unit, history, samples),
        },
        past,
      )
    },
    async secure() {
      // A durable commit makes all earlier commits durable; it must write something.
      await db.write((unit) =>
        unit.sql
          .updateTable('history_systems')
          .set((row) => ({ sealed: row.ref('sealed') }))
          .execute(),
      )
    },
  }
}

const NONE: ConfirmedSeries = { gone: [], old: [] }

/**
 * Maximum size of the in-memory set of warnings about samples that were already logged: 10,000. At this size it is cleared, so that
 * repeated warnings are logged once more.
 */
const MOST_LOGGED = 10_000

/**
 * Creates the function that stores samples in the table of recent samples, or in the compressed blocks if their hour is already compressed.
 * NaN and infinite values are left out; a time in the future becomes now. Both are logged as warnings, once per system and series.
 */
function appendSamples({ clock, log }: { readonly clock: Clock; readonly log: Log }) {
  const logged = new Set<string>()

  function warnOnce(what: string, system: string, field: string): void {
    const about = `${what} ${system} ${field}`
    if (logged.has(about)) return
    if (logged.size >= MOST_LOGGED) logged.clear()
    logged.add(about)
    log.warn(what, { system, field })
  }

  function checkedSample({ system, atMs, kinds }: AppendedSample): AppendedSample {
    const nowMs = clock.now()
    if (atMs > nowMs) warnOnce('a sample of the future was stored as of now', system, '')
    const possible = (given: SeriesPoints): SeriesPoints => {
      const { points, leftOut } = finitePoints(given)
      for (const key of leftOut) warnOnce('a field that is not a number was left out', system, key)
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
    const samples = given.map(checkedSample)
    const systems = await stored.systems.assure(unit, new Set(samples.map(({ system }) => system)))
    const nowMs = clock.now()
    let { unknown, unconfirmed } = doubtfulSeries(samples, stored.numbers, nowMs)
    const { gone, old } = unconfirmed.size === 0 ? NONE : await confirmSeries(unit, [...unconfirmed], nowMs)
    if (gone.length > 0) {
      for (const { number } of gone) stored.series.forgetNumber(number)
      stored.numbers = seriesOf(stored.series)
      ;({ unknown } = doubtfulSeries(samples, stored.numbers, nowMs))
    }
    const own = unknown.size === 0 ? new Map<string, number>() : await stored.series.assure(unit, unknown)
    const series = own.size === 0 ? stored.numbers : seriesOf(stored.series, own)
    const writer = new ByteWriter()
    const encoded = samples.map(({ system, atMs, kinds }) => ({
      system: numberOf(stored.systems, systems, system),
      at: atMs,
      data: encodeSample(writer, kinds, series),
    }))
    const late = await stored.open.add(unit, encoded)
    if (old.length > 0) await renewSeries(unit, old, nowMs)
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

/**
 * Two sets of series of new samples to look up in the database before the samples are stored. They have no short number, or one that must
 * be confirmed.
 */
type DoubtfulSeries = {
  /** Set of the keys of series in new samples without a short number in the database. Stored bytes name series by that number. */
  readonly unknown: ReadonlySet<string>
  /**
   * Set of series whose short numbers this hub has not confirmed in the database for 5 days. Another hub may have deleted them meanwhile,
   * so they are confirmed before samples are stored.
   */
  readonly unconfirmed: ReadonlySet<NumberedSeries>
}

/**
 * Returns true when this hub has not confirmed the short number of a series in the database for 5 days. Also after the clock was set back.
 * It must then do so before it stores a sample.
 */
const isUnconfirmed = ({ confirmedMs }: NumberedSeries, nowMs: number): boolean =>
  nowMs - confirmedMs > CONFIRMED_FOR_MS || confirmedMs > nowMs

/**
 * Returns the series of new samples that must be looked up in the database before storing: without a short number, or with an unconfirmed
 * one. Both sets are empty for most samples.
 */
function doubtfulSeries(samples: readonly AppendedSample[], { find }: Pick<SeriesNumbers, 'find'>, nowMs: number): DoubtfulSeries {
  const unknown = new Set<string>()
  const unconfirmed = new Set<NumberedSeries>()
  function lookAt(points: SeriesPoints | undefined): void {
    if (points === undefined) return
    for (let at = 0; at < points.values.length; at++) {
      const thing = points.things[at] ?? ''
      const field = points.fields[at] ?? ''
      const known = find(thing, field)
      if (known === undefined) unknown.add(keyOf(thing, field))
      else if (isUnconfirmed(known, nowMs)) unconfirmed.add(known)
    }
  }
  for (const { kinds } of samples) {
    lookAt(kinds.system)
    lookAt(kinds.containers)
  }
  return { unknown, unconfirmed }
}
