import { bucketStart, DAY_MS } from '../model/tier.ts'
import type { NumberedSeries } from '../model/numbered-series.ts'
import { HISTORY_BLOCKS } from './seal.ts'
import type { UnitOfWork } from '../../platform/db/database.ts'

/**
 * Time for which a hub uses the short number of a series after confirming it in the database, in ms (5 days). Must be shorter than {@link
 * UNUSED_MS}, so that no hub uses a deleted number.
 */
export const CONFIRMED_FOR_MS = 5 * DAY_MS

/**
 * Time in ms (40 days) for which a series keeps its short number after its last data expired. It exceeds a month's block plus {@link
 * CONFIRMED_FOR_MS}, because the stored last use may be that much too early.
 */
export const UNUSED_MS = 40 * DAY_MS

const AT_ONCE = 500

/**
 * Result of checking the short numbers of series in the database. `gone`: series whose number was deleted. `old`: series whose stored day
 * of last use {@link renewSeries} must update in the same transaction.
 */
export type ConfirmedSeries = { readonly gone: readonly NumberedSeries[]; readonly old: readonly NumberedSeries[] }

/**
 * Checks in the database whether series still have their short numbers. Resolves to the series whose number is gone, and to those whose
 * stored last use is too old. For all others it sets `confirmedMs` to `nowMs`.
 */
export async function confirmSeries({ sql }: UnitOfWork, series: readonly NumberedSeries[], nowMs: number): Promise<ConfirmedSeries> {
  const gone: NumberedSeries[] = []
  const old: NumberedSeries[] = []
  for (const some of inBatches(series)) {
    const rows = await sql.selectFrom('history_series').select(['no', 'used']).where('no', 'in', numbersOf(some)).execute()
    const used = new Map(rows.map((row) => [row.no, row.used]))
    for (const one of some) {
      const day = used.get(one.number)
      if (day === undefined) gone.push(one)
      // 0 means a new series, whose `used` is set by the next daily deletion.
      else if (day === 0 || day >= bucketStart(nowMs, DAY_MS) - CONFIRMED_FOR_MS) one.confirmedMs = nowMs
      // The renewal is confirmed by a later transaction, because this one may be rolled back.
      else old.push(one)
    }
  }
  return { gone, old }
}

/**
 * Stores today as the last day of use of series (the list `old` of {@link confirmSeries}), so that their short numbers are not deleted.
 * Call it last in a transaction, because of the lock order. Rejects with a RangeError if a number was deleted since `confirmSeries`.
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
