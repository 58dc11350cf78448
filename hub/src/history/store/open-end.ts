import type { StoredKind } from '@vedette/protocol/metrics/series'
import type { Kysely } from 'kysely'
import { setImmediate as othersTurn } from 'node:timers/promises'
import type { UnitOfWork } from '../../platform/db/database.ts'
import { insertRows } from '../../platform/db/many-rows.ts'
import type { Tables } from '../../platform/db/schema.ts'
import { DamagedBytesError } from '../../platform/byte-codec.ts'
import { type SeriesColumn, type SeriesTable, emptyTable, unknownNumbers } from '../model/series-table.ts'
import type { NumberedSeries, SeriesNumbers } from '../model/numbered-series.ts'
import { sampleDecoder, type SampleSeries } from '../codec/sample-codec.ts'

/**
 * Stored sample of one system that is not compressed into a block yet. It has a row id, the system's short number, the time `at` (epoch ms)
 * and encoded bytes.
 */
export type OpenSample = { readonly id: number; readonly system: number; readonly at: number; readonly data: Uint8Array }

/** Sample to be stored: short number of the system, time `at` in epoch ms and encoded bytes. It gets a row id when it is stored. */
export type NewSample = Omit<OpenSample, 'id'>

/**
 * Storage of the newest samples of the history, one row each: those that are not compressed into blocks yet. Compressing an hour removes
 * its samples from it.
 */
export type OpenEnd = {
  readonly load: (kysely: Kysely<Tables>) => Promise<void>
  /**
   * Inserts new samples of systems that have short numbers. Resolves to the set of samples that were not inserted, because their hour is
   * already compressed: the caller adds them to blocks.
   */
  readonly add: (unit: UnitOfWork, samples: readonly NewSample[]) => Promise<ReadonlySet<NewSample>>
  /**
   * Resolves to a map from a system's short number to the time (epoch ms) of its earliest sample that is not compressed yet. Systems
   * without one are absent. Runs at most one query.
   */
  readonly earliest: (kysely: Kysely<Tables>, systems: readonly number[]) => Promise<ReadonlyMap<number, number>>
  /** Resolves to a system's samples in `[fromMs, toMs)` (epoch ms) that are not compressed into blocks yet, in order of their insertion. */
  readonly read: (kysely: Kysely<Tables>, system: number, window: OpenWindow) => Promise<readonly OpenSample[]>
  /**
   * Resolves to the uncompressed samples of several systems in `[fromMs, toMs)` (epoch ms), as a map from a system's short number to its
   * samples. Runs one query. On SQLite the map may also have other systems, and samples that are compressed already.
   */
  readonly readMany: (
    kysely: Kysely<Tables>,
    systems: readonly number[],
    window: OpenWindow,
  ) => Promise<ReadonlyMap<number, readonly OpenSample[]>>
  /**
   * Removes a system's uncompressed samples in `[fromMs, toMs)` (epoch ms), and resolves to them in order of insertion. They must be stored
   * in blocks in the same transaction.
   */
  readonly take: (unit: UnitOfWork, system: number, window: OpenWindow) => Promise<readonly OpenSample[]>
  /**
   * Removes a system's uncompressed samples before a time (epoch ms); on SQLite, `trim` deletes their rows later. Call it in the
   * transaction that compresses up to that time or deletes the system.
   */
  readonly remove: (unit: UnitOfWork, system: number, beforeMs: number) => Promise<void>
  /**
   * Removes a system's uncompressed samples before a time (epoch ms) from the in-memory index, which only SQLite has. Call it after the
   * commit of the `take` or `remove` of those samples.
   */
  readonly forget: (system: number, beforeMs: number) => void
  /**
   * Deletes up to 250 rows of samples that are already compressed into blocks, or belong to deleted systems, from the table of uncompressed
   * samples. Resolves to true when there may be more. On PostgreSQL there are none.
   */
  readonly trim: (unit: UnitOfWork) => Promise<boolean>
}

export type OpenWindow = { readonly fromMs: number; readonly toMs: number }

/** Row ids and times (epoch ms) of one system's uncompressed samples, as two lists of equal length in order of insertion. */
type Places = { readonly ids: number[]; readonly times: number[] }

const NO_PLACES: Places = { ids: [], times: [] }

const isWithin = (at: number | undefined, { fromMs, toMs }: OpenWindow): boolean => at !== undefined && at >= fromMs && at < toMs

const ROWS_AT_ONCE = 5_000
const TRIMMED_AT_ONCE = 250
/**
 * Allowed numbers of row ids in one SQLite query: 16, 64, 256. Shorter lists of ids are padded, longer ones are read with several queries,
 * so that few prepared statements are needed.
 */
const ID_COUNTS = [16, 64, 256] as const

/**
 * Creates the storage of uncompressed samples for SQLite, where one process writes. It caches each system's row ids. `sealed` maps a
 * system's short number to the time (epoch ms) until which its samples are compressed.
 */
export function openEndInMemory(sealed: Map<number, number>): OpenEnd {
  const places = new Map<number, Places>()
  let last = 0
  const sealedOf = (system: number): number => sealed.get(system) ?? 0

  function note({ id, system, at }: Omit<OpenSample, 'data'>): void {
    let known = places.get(system)
    if (known === undefined) places.set(system, (known = { ids: [], times: [] }))
    known.ids.push(id)
    known.times.push(at)
    last = Math.max(last, id)
  }

  async function load(kysely: Kysely<Tables>): Promise<void> {
    places.clear()
    last = 0
    for (;;) {
      const rows = await kysely
        .selectFrom('history_open')
        .select(['id', 'system', 'at'])
        .where('id', '>', last)
        .orderBy('id')
        .limit(ROWS_AT_ONCE)
        .execute()
      for (const row of rows) {
        if (row.at >= sealedOf(row.system)) note(row)
        last = row.id
      }
      if (rows.length < ROWS_AT_ONCE) return
      await othersTurn()
    }
  }

  async function add(unit: UnitOfWork, samples: readonly NewSample[]): Promise<ReadonlySet<NewSample>> {
    const seemLate = samples.filter(({ system, at }) => at < sealedOf(system))
    const late = seemLate.length === 0 ? new Set<NewSample>() : await lateSamplesOf(unit, seemLate)
    const rows = samples.filter((sample) => !late.has(sample)).map(({ system, at, data }) => [system, at, data])
    const added = await insertRows<Omit<OpenSample, 'data'>>(unit.sql, 'sqlite', {
      table: 'history_open',
      columns: ['system', 'at', 'data'],
      rows,
      returning: ['id', 'system', 'at'],
    })
    for (const row of added) note(row)
    return late
  }

  /**
   * Resolves to those of the samples whose hour is already compressed into blocks according to the database. After a failed transaction,
   * the cached end of the compressed time may be too late.
   */
  async function lateSamplesOf(unit: UnitOfWork, samples: readonly NewSample[]): Promise<ReadonlySet<NewSample>> {
    const numbers = [...new Set(samples.map(({ system }) => system))]
    const rows = await unit.sql.selectFrom('history_systems').select(['no', 'sealed']).where('no', 'in', numbers).execute()
    const stored = new Map(rows.map(({ no, sealed: until }) => [no, until]))
    return new Set(samples.filter(({ system, at }) => at < (stored.get(system) ?? 0)))
  }

  async function read(kysely: Kysely<Tables>, system: number, { fromMs, toMs }: OpenWindow): Promise<readonly OpenSample[]> {
    const { ids: all, times } = places.get(system) ?? NO_PLACES
    const ids = all.filter((_, place) => isWithin(times[place], { fromMs, toMs }))
    const found: OpenSample[] = []
    for (let first = 0; first < ids.length;) {
      const length = ID_COUNTS.find((size) => ids.length - first <= size) ?? ID_COUNTS[2]
      const some = ids.slice(first, first + length)
      const padded = [...some, ...Array.from({ length: length - some.length }, () => some[0] ?? 0)]
      const rows = await kysely
        .selectFrom('history_open')
        .select(['id', 'system', 'at', 'data'])
        .where('id', 'in', padded)
        .orderBy('id')
        .execute()
      // After a rollback, a sample of another system may have the same row id.
      found.push(...rows.filter((row) => row.system === system))
      first += length
    }
    return found
  }

  async function readMany(
    kysely: Kysely<Tables>,
    _: readonly number[],
    { fromMs, toMs }: OpenWindow,
  ): Promise<ReadonlyMap<number, readonly OpenSample[]>> {
    let first = Number.POSITIVE_INFINITY
    for (const { ids, times } of places.values())
      for (const [place, id] of ids.entries()) if (id < first && isWithin(times[place], { fromMs, toMs })) first = id
    if (first === Number.POSITIVE_INFINITY) return new Map()
    const rows = await kysely
      .selectFrom('history_open')
      .select(['id', 'system', 'at', 'data'])
      .where('id', '>=', first)
      .where('at', '>=', fromMs)
      .where('at', '<', toMs)
      .orderBy('id')
      .execute()
    return Map.groupBy(rows, ({ system }) => system)
  }

  async function remove(_: UnitOfWork, system: number, beforeMs: number): Promise<void> {
    // Set before the commit, so that the next write treats the time as sealed. `trim` deletes the rows.
    sealed.set(system, beforeMs)
  }

  return {
    load,
    add,
    read,
    readMany,
    async earliest(_, systems) {
      const found = new Map<number, number>()
      for (const system of systems)
        for (const at of places.get(system)?.times ?? []) found.set(system, Math.min(at, found.get(system) ?? at))
      return found
    },
    async take(unit, system, window) {
      const samples = await read(unit.sql, system, window)
      await remove(unit, system, window.toMs)
      return samples
    },
    remove,
    forget(system, beforeMs) {
      const { ids, times } = places.get(system) ?? NO_PLACES
      const left = { ids: ids.filter((_, place) => (times[place] ?? 0) >= beforeMs), times: times.filter((at) => at >= beforeMs) }
      if (left.ids.length === 0) places.delete(system)
      else places.set(system, left)
    },
    async trim(unit) {
      let first = last + 1
      for (const { ids } of places.values()) first = Math.min(first, ids[0] ?? first)
      const doomed = unit.sql.selectFrom('history_open').select('id').where('id', '<', first).orderBy('id').limit(TRIMMED_AT_ONCE)
      const { numDeletedRows } = await unit.sql.deleteFrom('history_open').where('id', 'in', doomed).executeTakeFirst()
      return Number(numDeletedRows) === TRIMMED_AT_ONCE
    },
  }
}

/**
 * Decodes uncompressed samples and returns a function from kind (system, containers) to the kind's table, in time order. With `wanted` only
 * that kind is decoded. If two samples have the same time, the later one wins. Calls `damaged` for each unreadable sample.
 */
export function tablesOf(
  samples: readonly OpenSample[],
  numbers: SeriesNumbers,
  damaged: (atMs: number, reason: string) => void,
  wanted?: StoredKind,
): (kind: StoredKind) => SeriesTable {
  const decode = sampleDecoder(numbers, wanted)
  const decoded = samples.flatMap(({ at, data }) => {
    try {
      return [{ at, kinds: decode(data) }]
    } catch (error) {
      if (!(error instanceof DamagedBytesError)) throw error
      damaged(at, error.message)
      return []
    }
  })
  return (kind) => {
    const byTime = new Map<number, SampleSeries>()
    for (const { at, kinds } of decoded) {
      const found = kinds[kind]
      if (found !== undefined) byTime.set(at, found)
    }
    return byTime.size === 0 ? emptyTable : arranged([...byTime].toSorted(([a], [b]) => a - b))
  }
}

function arranged(points: readonly (readonly [number, SampleSeries])[]): SeriesTable {
  const columns = new Map<NumberedSeries, Float64Array>()
  const column = (one: NumberedSeries): Float64Array => {
    let found = columns.get(one)
    if (found === undefined) columns.set(one, (found = unknownNumbers(points.length)))
    return found
  }
  let last: { readonly series: readonly NumberedSeries[]; readonly columns: readonly Float64Array[] } | undefined
  for (let at = 0; at < points.length; at++) {
    const [, { series, values }] = points[at] ?? [0, { series: [], values: new Float64Array() }]
    // Most samples have the same series as the sample before.
    if (last?.series !== series) last = { series, columns: series.map(column) }
    for (let place = 0; place < last.columns.length; place++) {
      const to = last.columns[place]
      if (to !== undefined) to[at] = values[place] ?? Number.NaN
    }
  }
  const series = [...columns].map(([{ key }, average]): SeriesColumn => ({ key, average })).toSorted((a, b) => (a.key < b.key ? -1 : 1))
  return { times: points.map(([time]) => time), series }
}
