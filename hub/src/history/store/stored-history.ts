import { keyOf, splitKey } from '@vedette/protocol/metrics/series'
import type { Kysely } from 'kysely'
import type { NumberedSeries, SeriesNumbers } from '../model/numbered-series.ts'
import { finestStep } from '../model/precision.ts'
import { type OpenEnd, openEnd } from './open-end.ts'
import type { Database, UnitOfWork } from '../../platform/db/database.ts'
import type { Tables } from '../../platform/db/schema.ts'

/** What is remembered of the stored history: the numbers of systems and series, and whose samples stand open. */
export type StoredHistory = {
  readonly systems: Numbering
  readonly series: Numbering
  /** The series that are committed; another one once some of them were forgotten. */
  numbers: SeriesNumbers
  readonly open: OpenEnd
  /** From when on a system's samples are in the open end. */
  readonly sealed: Map<number, number>
}

export async function loadStoredHistory({ kysely, name }: Pick<Database, 'kysely' | 'name'>): Promise<StoredHistory> {
  const [systems, series, open] = [numberingOf('history_systems'), numberingOf('history_series'), openEnd(name)]
  const rows = await kysely.selectFrom('history_systems').select(['no', 'sealed']).execute()
  const sealed = new Map(rows.map(({ no, sealed: until }) => [no, until]))
  await refreshNames({ systems, series }, kysely)
  // What is sealed meanwhile by another process is found both in the open end and in a block, and counts once.
  await open.load(kysely, (system) => sealed.get(system) ?? 0)
  return { systems, series, numbers: seriesOf(series), open, sealed }
}

/** Before names are read: those that appends have added meanwhile. */
export async function refreshNames({ systems, series }: Pick<StoredHistory, 'systems' | 'series'>, kysely: Kysely<Tables>): Promise<void> {
  await systems.refresh(kysely)
  await series.refresh(kysely)
}

/**
 * The series of this history by key and by number; `own` are those that a unit of work has added and nobody else knows yet.
 * Remembers what it was asked.
 */
export function seriesOf(series: Numbering, own: ReadonlyMap<string, number> = new Map()): SeriesNumbers {
  /** A thing has a handful of fields, and its key is not put together to find them. */
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
    const one = { number, key, field, step: finestStep(key) }
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

/** Short numbers for texts that stand in every stored row: ids of systems, keys of series. */
export type Numbering = {
  /** Finds the names that were added since, once they are committed. Costs nothing when none were. */
  readonly refresh: (kysely: Kysely<Tables>) => Promise<void>
  readonly find: (name: string) => number | undefined
  readonly nameOf: (number: number) => string | undefined
  /**
   * Gives numbers to those names that have none, and returns those of them that are known in this unit of work alone, for now.
   */
  readonly assure: (unit: UnitOfWork, names: Iterable<string>) => Promise<ReadonlyMap<string, number>>
  readonly forget: (name: string) => void
  readonly names: () => Iterable<string>
  readonly size: () => number
}

type NumberedTable = 'history_systems' | 'history_series'

/** Texts looked up in one question. */
const AT_ONCE = 500

/**
 * Remembers only what is committed: a name that this very unit of work adds is found by the next one, since a rollback
 * takes its number back.
 */
export function numberingOf(table: NumberedTable): Numbering {
  const numbers = new Map<string, number>()
  const names = new Map<number, string>()
  const adding = new WeakSet<UnitOfWork>()
  /** Names whose commit has not been seen; at first, all. */
  const awaited = new Set<string>()
  let loaded = false
  /** Everything up to here was found in order; single names may have been found beyond. */
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
    adding.add(unit)
    for (let first = 0; first < missing.length; first += AT_ONCE) {
      const values = missing.slice(first, first + AT_ONCE).map((name) => ({ name }))
      const rows = await unit.sql.insertInto(table).values(values).returning(['no', 'name']).execute()
      for (const { no, name } of rows) if (name !== null) added.set(name, no)
    }
  }

  return {
    async refresh(kysely) {
      if (loaded && awaited.size === 0) return
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
        await find(unit, [...unknown], adding.has(unit) ? (name, number) => own.set(name, number) : remember)
        const missing = [...unknown].filter((name) => !numbers.has(name) && !own.has(name))
        for (const name of missing) awaited.add(name)
        if (missing.length > 0) await add(unit, missing, own)
      }
      return own
    },
    forget(name) {
      const number = numbers.get(name)
      numbers.delete(name)
      if (number !== undefined) names.delete(number)
    },
    names: () => numbers.keys(),
    size: () => numbers.size,
  }
}

/** The number of a name that was assured; `own` is what that returned. Throws {@link RangeError} for any other. */
export function numberOf(numbering: Numbering, own: ReadonlyMap<string, number>, name: string): number {
  const number = numbering.find(name) ?? own.get(name)
  if (number === undefined) throw new RangeError(`Cannot store "${name}": it has no number`)
  return number
}
