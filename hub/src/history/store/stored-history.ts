import { keyOf, splitKey } from '@vedette/protocol/metrics/series'
import type { Kysely } from 'kysely'
import type { Database } from '../../platform/db/database.ts'
import type { Tables } from '../../platform/db/schema.ts'
import { numberingOf, numberOf, type Numbering } from './numbering.ts'
import { openEnd, type OpenEnd } from './open-end.ts'
import type { NumberedSeries, SeriesNumbers } from '../model/numbered-series.ts'
import { finestStep } from '../model/precision.ts'

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
