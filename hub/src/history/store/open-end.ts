import type { StoredKind } from '@vedette/protocol/metrics/series'
import type { Kysely } from 'kysely'
import type { Database, UnitOfWork } from '../../platform/db/database.ts'
import { insertRows } from '../../platform/db/many-rows.ts'
import type { Tables } from '../../platform/db/schema.ts'
import { DamagedBytesError } from '../codec/bytes.ts'
import { type SeriesColumn, type Stretch, emptyStretch, unknownNumbers } from '../model/stretch.ts'
import type { NumberedSeries, SeriesNumbers } from '../model/numbered-series.ts'
import { sampleDecoder, type SampleSeries } from '../codec/sample-codec.ts'
import { othersTurn } from './turn.ts'

/** A sample that is in no block yet. */
export type OpenSample = { readonly id: number; readonly system: number; readonly at: number; readonly data: Uint8Array }

/**
 * Samples that are in no block yet. Rows are only added at the table's end, so that many systems share a page; the row ids of each system
 * are in memory. Memory may list rows that are gone, but never misses one.
 */
export type OpenEnd = {
  readonly load: (kysely: Kysely<Tables>, sealedOf: (system: number) => number) => Promise<void>
  /** Loads rows that other hubs have added since. Row ids are committed in order, because all writers wait for each other. */
  readonly catchUp: (kysely: Kysely<Tables>, sealedOf: (system: number) => number) => Promise<void>
  readonly add: (unit: UnitOfWork, samples: readonly Omit<OpenSample, 'id'>[]) => Promise<void>
  /** Time of a system's earliest open sample, epoch milliseconds; `undefined` when it has none. */
  readonly earliest: (system: number) => number | undefined
  /** A system's samples in `[fromMs, toMs)`, in order of arrival. */
  readonly read: (kysely: Kysely<Tables>, system: number, window: OpenWindow) => Promise<readonly OpenSample[]>
  /** Samples of all systems in `[fromMs, toMs)`, by system number, with one query. */
  readonly readAll: (kysely: Kysely<Tables>, window: OpenWindow) => Promise<ReadonlyMap<number, readonly OpenSample[]>>
  readonly drop: (system: number, beforeMs: number) => void
  readonly forget: (system: number) => void
  /** Deletes a batch of rows that no system needs any more. Returns whether there may be more. */
  readonly trim: (unit: UnitOfWork) => Promise<boolean>
}

/**
 * Row ids and times of one system, in order of arrival. Two lists of numbers save memory: there is an entry for each minute of each system.
 */
type Places = { readonly ids: number[]; readonly times: number[] }

const NO_PLACES: Places = { ids: [], times: [] }

const isWithin = (at: number | undefined, { fromMs, toMs }: OpenWindow): boolean => at !== undefined && at >= fromMs && at < toMs

type OpenWindow = { readonly fromMs: number; readonly toMs: number }

const ROWS_AT_ONCE = 5_000
const TRIMMED_AT_ONCE = 250
/** Ids per query: a few fixed lengths, so that the prepared statements are reused. */
const LOOKED_UP = [16, 64, 256] as const

export function openEnd(database: Database['name']): OpenEnd {
  const places = new Map<number, Places>()
  let last = 0
  /** Highest row id up to which rows of all hubs are known. */
  let readUpTo = 0

  function note({ id, system, at }: Omit<OpenSample, 'data'>): void {
    let known = places.get(system)
    if (known === undefined) places.set(system, (known = { ids: [], times: [] }))
    known.ids.push(id)
    known.times.push(at)
    last = Math.max(last, id)
  }

  async function load(kysely: Kysely<Tables>, sealedOf: (system: number) => number): Promise<void> {
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
      if (rows.length < ROWS_AT_ONCE) break
      await othersTurn()
    }
    readUpTo = last
  }

  async function catchUp(kysely: Kysely<Tables>, sealedOf: (system: number) => number): Promise<void> {
    const rows = await kysely
      .selectFrom('history_open')
      .select(['id', 'system', 'at'])
      .where('id', '>', readUpTo)
      .orderBy('id')
      .limit(ROWS_AT_ONCE)
      .execute()
    for (const row of rows) {
      // This hub knows its own rows.
      if (row.at >= sealedOf(row.system) && places.get(row.system)?.ids.includes(row.id) !== true) note(row)
      readUpTo = Math.max(readUpTo, row.id)
    }
    if (rows.length === ROWS_AT_ONCE) await catchUp(kysely, sealedOf)
  }

  async function add(unit: UnitOfWork, samples: readonly Omit<OpenSample, 'id'>[]): Promise<void> {
    const rows = samples.map(({ system, at, data }) => [system, at, data])
    const added = await insertRows<Omit<OpenSample, 'data'>>(unit.sql, database, {
      table: 'history_open',
      columns: ['system', 'at', 'data'],
      rows,
      returning: ['id', 'system', 'at'],
    })
    for (const row of added) note(row)
  }

  async function read(kysely: Kysely<Tables>, system: number, { fromMs, toMs }: OpenWindow): Promise<readonly OpenSample[]> {
    const { ids: all, times } = places.get(system) ?? NO_PLACES
    const ids = all.filter((_, place) => isWithin(times[place], { fromMs, toMs }))
    const found: OpenSample[] = []
    for (let first = 0; first < ids.length;) {
      const length = LOOKED_UP.find((size) => ids.length - first <= size) ?? LOOKED_UP[2]
      const some = ids.slice(first, first + length)
      const padded = [...some, ...Array.from({ length: length - some.length }, () => some[0] ?? 0)]
      const rows = await kysely
        .selectFrom('history_open')
        .select(['id', 'system', 'at', 'data'])
        .where('id', 'in', padded)
        .orderBy('id')
        .execute()
      // After a rollback, another system's sample may have the same row id.
      found.push(...rows.filter((row) => row.system === system))
      first += length
    }
    return found
  }

  async function readAll(kysely: Kysely<Tables>, { fromMs, toMs }: OpenWindow): Promise<ReadonlyMap<number, readonly OpenSample[]>> {
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

  return {
    load,
    catchUp,
    add,
    read,
    readAll,
    earliest: (system) => places.get(system)?.times.reduce((least, at) => Math.min(least, at)),
    drop(system, beforeMs) {
      const { ids, times } = places.get(system) ?? NO_PLACES
      const left = { ids: ids.filter((_, place) => (times[place] ?? 0) >= beforeMs), times: times.filter((at) => at >= beforeMs) }
      if (left.ids.length === 0) places.delete(system)
      else places.set(system, left)
    },
    forget: (system) => void places.delete(system),
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
 * Decodes samples and returns a function that gives the stretch of a kind, in time order. Of two samples with the same time the later one
 * wins, kind by kind. With `wanted` the other kind is empty.
 */
export function stretchesOf(
  samples: readonly OpenSample[],
  numbers: SeriesNumbers,
  damaged: (atMs: number, reason: string) => void,
  wanted?: StoredKind,
): (kind: StoredKind) => Stretch {
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
    return byTime.size === 0 ? emptyStretch : arranged([...byTime].toSorted(([a], [b]) => a - b))
  }
}

function arranged(points: readonly (readonly [number, SampleSeries])[]): Stretch {
  const columns = new Map<NumberedSeries, Float64Array>()
  const column = (one: NumberedSeries): Float64Array => {
    let found = columns.get(one)
    if (found === undefined) columns.set(one, (found = unknownNumbers(points.length)))
    return found
  }
  let last: { readonly series: readonly NumberedSeries[]; readonly columns: readonly Float64Array[] } | undefined
  for (let at = 0; at < points.length; at++) {
    const [, { series, values }] = points[at] ?? [0, { series: [], values: new Float64Array() }]
    // Most samples have the same series as the one before.
    if (last?.series !== series) last = { series, columns: series.map(column) }
    for (let place = 0; place < last.columns.length; place++) {
      const to = last.columns[place]
      if (to !== undefined) to[at] = values[place] ?? Number.NaN
    }
  }
  const series = [...columns].map(([{ key }, average]): SeriesColumn => ({ key, average })).toSorted((a, b) => (a.key < b.key ? -1 : 1))
  return { times: points.map(([time]) => time), series }
}
