import { keyOf, splitKey } from '@vedette/protocol/metrics/series'
import type { Kysely } from 'kysely'
import type { NumberedSeries, SeriesNumbers } from '../model/numbered-series.ts'
import { finestStep } from '../model/precision.ts'
import { type OpenEnd, openEndInMemory } from './open-end.ts'
import { openEndInTable } from './open-rows.ts'
import type { Database, UnitOfWork } from '../../platform/db/database.ts'
import type { Tables } from '../../platform/db/schema.ts'

/**
 * In-memory index of the stored history: the short numbers that stand for systems and series, and access to the samples not compressed yet.
 */
export type StoredHistory = {
  readonly systems: Numbering
  readonly series: Numbering
  /**
   * Lookup of series by key and by short number. It knows committed series only, not those that a running transaction adds. Replaced by a
   * new object when series are deleted.
   */
  numbers: SeriesNumbers
  readonly open: OpenEnd
  /**
   * Map from a system's short number to the time (epoch ms) up to which its samples are compressed into blocks. Empty on PostgreSQL, where
   * the table of systems has these times.
   */
  readonly sealed: Map<number, number>
}

export async function loadStoredHistory({ kysely, name }: Pick<Database, 'kysely' | 'name'>): Promise<StoredHistory> {
  const [systems, series] = [numberingOf('history_systems'), numberingOf('history_series')]
  const sealed = name === 'sqlite' ? await loadSealed(kysely) : new Map<number, number>()
  await refreshNames({ systems, series }, kysely)
  const open = name === 'sqlite' ? openEndInMemory(sealed) : openEndInTable
  // A sample that is sealed in the meantime is found both as open and in a block, and counts once.
  await open.load(kysely)
  return { systems, series, numbers: seriesOf(series), open, sealed }
}

async function loadSealed(kysely: Kysely<Tables>): Promise<Map<number, number>> {
  const rows = await kysely.selectFrom('history_systems').select(['no', 'sealed']).execute()
  return new Map(rows.map(({ no, sealed }) => [no, sealed]))
}

/**
 * Updates the cached names of systems and series from the database; call it before reading the history. With `when` `always` it queries
 * each time, else only at first and after this hub has added a name.
 */
export async function refreshNames(
  { systems, series }: Pick<StoredHistory, 'systems' | 'series'>,
  kysely: Kysely<Tables>,
  when?: 'always',
): Promise<void> {
  await systems.refresh(kysely, when)
  await series.refresh(kysely, when)
}

/**
 * Creates a cached lookup of history series by key and by short number. `own`: map from series key to short number of the series that the
 * current transaction has added; default: none.
 */
export function seriesOf(series: Numbering, own: ReadonlyMap<string, number> = new Map()): SeriesNumbers {
  /**
   * Map from a measured thing, such as `cpu` or a container, to the history series that belong to it. A lookup by thing and field then need
   * not build the series key.
   */
  const byThing = new Map<string, NumberedSeries[]>()
  const fields = new Map<string, string>()
  const byNumber = new Map<number, NumberedSeries>()
  const ownNames = new Map([...own].map(([name, number]) => [number, name]))
  function remembered(thing: string, field: string): NumberedSeries | undefined {
    const ofThing = byThing.get(thing)
    if (ofThing !== undefined) for (const one of ofThing) if (one.field === field) return one
    return undefined
  }
  function remember(key: string, number: number): NumberedSeries {
    const [thing, last] = splitKey(key)
    const field = fields.get(last) ?? last
    fields.set(field, field)
    const one: NumberedSeries = { number, key, field, step: finestStep(key), confirmedMs: 0 }
    const ofThing = byThing.get(thing)
    if (ofThing === undefined) byThing.set(thing, [one])
    else ofThing.push(one)
    byNumber.set(number, one)
    return one
  }
  return {
    find(thing, field) {
      const known = remembered(thing, field)
      if (known !== undefined) return known
      const key = keyOf(thing, field)
      const number = series.find(key) ?? own.get(key)
      return number === undefined ? undefined : remember(key, number)
    },
    byKey: (key) => remembered(...splitKey(key)) ?? remember(key, numberOf(series, own, key)),
    byNumber(number) {
      const known = byNumber.get(number)
      if (known !== undefined) return known
      const key = series.nameOf(number) ?? ownNames.get(number)
      return key === undefined ? undefined : remember(key, number)
    },
  }
}

/** Store of the short numbers that stand for names which every stored row would repeat: ids of systems, or keys of series. */
export type Numbering = {
  /**
   * Loads names (system ids or series keys) with their short numbers that any hub has committed since the last call. With `when` `always`
   * it queries each time, else only at first and after this hub has added a name.
   */
  readonly refresh: (kysely: Kysely<Tables>, when?: 'always') => Promise<void>
  readonly find: (name: string) => number | undefined
  readonly nameOf: (number: number) => string | undefined
  /**
   * Assigns a short number to each of the names (system ids or series keys) that has none. Resolves to a map from the names that this
   * transaction has added to numbers; others see them after the commit.
   */
  readonly assure: (unit: UnitOfWork, names: Iterable<string>) => Promise<ReadonlyMap<string, number>>
  readonly forget: (name: string) => void
  /**
   * Removes from the cache a short number that another hub has deleted in the database. Its name (system id or series key) may have another
   * number there by now.
   */
  readonly forgetNumber: (number: number) => void
  readonly names: () => Iterable<string>
  readonly size: () => number
}

type NumberedTable = 'history_systems' | 'history_series'

/**
 * Name (`history names`) of the database lock for transactions that add short numbers of systems or series. Numbers are then committed in
 * order, so that other hubs miss none when they load later ones.
 */
export const HISTORY_NAMES = 'history names'

/** Maximum number of names (system ids or series keys) in one database query: 500. Longer lists take several queries. */
const AT_ONCE = 500

/**
 * Creates the service that assigns short numbers to the names (system ids or series keys) in a database table. It caches committed names
 * only, because a rollback would undo the number of a new name.
 */
export function numberingOf(table: NumberedTable): Numbering {
  const numbers = new Map<string, number>()
  const names = new Map<number, string>()
  const adding = new WeakSet<UnitOfWork>()
  /** Set of names (system ids or series keys) that this process has added, but `refresh` has not yet loaded from the database. */
  const awaited = new Set<string>()
  let loaded = false
  /** Highest short number that `refresh` has loaded; the next call loads higher ones. Single names in the cache may have higher numbers. */
  let foundUpTo = 0

  function remember(name: string, number: number): void {
    numbers.set(name, number)
    names.set(number, name)
    awaited.delete(name)
  }

  async function find(unit: UnitOfWork, wanted: readonly string[], found: (name: string, number: number) => void): Promise<void> {
    for (let first = 0; first < wanted.length; first += AT_ONCE) {
      const some = wanted.slice(first, first + AT_ONCE)
      const rows = await unit.sql.selectFrom(table).select(['no', 'name']).where('name', 'in', some).execute()
      for (const { no, name } of rows) if (name !== null) found(name, no)
    }
  }

  async function add(unit: UnitOfWork, missing: readonly string[], added: Map<string, number>): Promise<void> {
    if (missing.length > 0) adding.add(unit)
    for (let first = 0; first < missing.length; first += AT_ONCE) {
      const values = missing.slice(first, first + AT_ONCE).map((name) => ({ name }))
      const rows = await unit.sql.insertInto(table).values(values).returning(['no', 'name']).execute()
      for (const { no, name } of rows) if (name !== null) added.set(name, no)
    }
  }

  return {
    async refresh(kysely, when) {
      if (when === undefined && loaded && awaited.size === 0) return
      const rows = await kysely.selectFrom(table).select(['no', 'name']).where('no', '>', foundUpTo).execute()
      for (const { no, name } of rows) {
        if (name !== null) remember(name, no)
        foundUpTo = Math.max(foundUpTo, no)
      }
      loaded = true
    },
    find: (name) => numbers.get(name),
    nameOf: (number) => names.get(number),
    async assure(unit, wanted) {
      const own = new Map<string, number>()
      const unknown = new Set<string>()
      for (const name of wanted) if (!numbers.has(name)) unknown.add(name)
      if (unknown.size > 0) {
        const found = adding.has(unit) ? (name: string, number: number) => void own.set(name, number) : remember
        const missing = (): readonly string[] => [...unknown].filter((name) => !numbers.has(name) && !own.has(name))
        await find(unit, [...unknown], found)
        if (missing().length > 0) await unit.alone(HISTORY_NAMES)
        // Another hub may have added some of them before this one got the lock.
        await find(unit, missing(), found)
        for (const name of missing()) awaited.add(name)
        await add(unit, missing(), own)
      }
      return own
    },
    forget(name) {
      const number = numbers.get(name)
      numbers.delete(name)
      if (number !== undefined) names.delete(number)
    },
    forgetNumber(number) {
      const name = names.get(number)
      names.delete(number)
      if (name !== undefined && numbers.get(name) === number) numbers.delete(name)
    },
    names: () => numbers.keys(),
    size: () => numbers.size,
  }
}

/**
 * Returns the short number of a name (system id or series key), from the cache or from `own`, the result of `assure` in this transaction.
 * Throws {@link RangeError} if it has none.
 */
export function numberOf(numbering: Numbering, own: ReadonlyMap<string, number>, name: string): number {
  const number = numbering.find(name) ?? own.get(name)
  if (number === undefined) throw new RangeError(`Cannot store "${name}": it has no number`)
  return number
}
