import { bucketStart, DAY_MS } from '../model/tier.ts'
import type { NumberedSeries } from '../model/numbered-series.ts'
import { HISTORY_BLOCKS } from './seal.ts'
import type { UnitOfWork } from '../../platform/db/database.ts'

/** A confirmed number is used for this long. It must be shorter than {@link UNUSED_MS}, so that no hub uses a deleted number. */
export const CONFIRMED_FOR_MS = 5 * DAY_MS

/**
 * Numbers of series are deleted this long after the retention of their last use. A month's block stays as long as its last day, and the
 * last use may be {@link CONFIRMED_FOR_MS} later than is stored.
 */
export const UNUSED_MS = 40 * DAY_MS

const AT_ONCE = 500

/** `gone`: series whose numbers were deleted. `old`: series whose use must be stored with {@link renewSeries} in the same unit of work. */
export type ConfirmedSeries = { readonly gone: readonly NumberedSeries[]; readonly old: readonly NumberedSeries[] }

/** Looks whether the database keeps the numbers of these series: another hub may have deleted one that had no data for long. */
export async function confirmSeries({ sql }: UnitOfWork, series: readonly NumberedSeries[], nowMs: number): Promise<ConfirmedSeries> {
  const gone: NumberedSeries[] = []
  const old: NumberedSeries[] = []
  for (const some of inBatches(series)) {
    const rows = await sql.selectFrom('history_series').select(['no', 'used']).where('no', 'in', numbersOf(some)).execute()
    const used = new Map(rows.map((row) => [row.no, row.used]))
    for (const one of some) {
      const day = used.get(one.number)
      if (day === undefined) gone.push(one)
      // The first deletion after the birth of a series replaces the 0 by its day.
      else if (day === 0 || day >= bucketStart(nowMs, DAY_MS) - CONFIRMED_FOR_MS) one.confirmedMs = nowMs
      // Its renewal is confirmed by a later unit of work, because this one may be undone.
      else old.push(one)
    }
  }
  return { gone, old }
}

/**
 * Stores that series are used today, which keeps their numbers. Call it last: it waits for the maintenance, which locks systems before
 * blocks and blocks before series. Throws when a number was deleted since it was looked at.
 */
export async function renewSeries(unit: UnitOfWork, old: readonly NumberedSeries[], nowMs: number): Promise<void> {
  await unit.alone(HISTORY_BLOCKS)
  for (const some of inBatches(old)) {
    const renewal = unit.sql
      .updateTable('history_series')
      .set({ used: bucketStart(nowMs, DAY_MS) })
      .where('no', 'in', numbersOf(some))
    const renewed = new Set((await renewal.returning('no').execute()).map(({ no }) => no))
    const lost = some.find(({ number }) => !renewed.has(number))
    if (lost !== undefined) throw new RangeError(`Cannot store "${lost.key}": its number was deleted a moment ago`)
  }
}

const numbersOf = (series: readonly NumberedSeries[]): readonly number[] => series.map(({ number }) => number)

function* inBatches(series: readonly NumberedSeries[]): Generator<readonly NumberedSeries[]> {
  for (let first = 0; first < series.length; first += AT_ONCE) yield series.slice(first, first + AT_ONCE)
}
