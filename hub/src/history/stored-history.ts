import type { Kysely } from 'kysely'
import type { Tables } from '../db/schema.ts'
import { numberingOf, type Numbering } from './numbering.ts'
import { openEnd, type OpenEnd } from './open-end.ts'
import type { Blocks } from './read-block.ts'

/** What is remembered of the stored history: the numbers of systems and series, and whose samples stand open. */
export type StoredHistory = {
  readonly systems: Numbering
  readonly series: Numbering
  readonly open: OpenEnd
  /** From when on a system's samples are in the open end. */
  readonly sealed: Map<number, number>
}

export async function loadStoredHistory(kysely: Kysely<Tables>): Promise<StoredHistory> {
  const [systems, series, open] = [numberingOf('history_systems'), numberingOf('history_series'), openEnd()]
  const rows = await kysely.selectFrom('history_systems').select(['no', 'sealed']).execute()
  const sealed = new Map(rows.map(({ no, sealed: until }) => [no, until]))
  await refreshNames({ systems, series }, kysely)
  // What is sealed meanwhile by another process is found both in the open end and in a block, and counts once.
  await open.load(kysely, (system) => sealed.get(system) ?? 0)
  return { systems, series, open, sealed }
}

/** Before names are read: those that appends have added meanwhile. */
export async function refreshNames({ systems, series }: Pick<StoredHistory, 'systems' | 'series'>, kysely: Kysely<Tables>): Promise<void> {
  await systems.refresh(kysely)
  await series.refresh(kysely)
}

/** Blocks as this history's names have them. */
export function blocksOf({ series }: StoredHistory, damaged: Blocks['damaged']): Blocks {
  return {
    numbers: {
      keyOf: series.nameOf,
      numberOf(key) {
        const number = series.find(key)
        if (number === undefined) throw new RangeError(`Cannot store "${key}": it has no number`)
        return number
      },
    },
    damaged,
  }
}
