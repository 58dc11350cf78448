import type { Database, UnitOfWork } from '../../platform/db/database.ts'
import { compactDay, firstToCompact } from './compact.ts'
import { stretchesOf, type OpenSample } from './open-end.ts'
import { describeSample, type Blocks } from './read-block.ts'
import type { StoredHistory } from './stored-history.ts'
import { bucketStart, DAY_MS, HOUR_MS } from '../model/tier.ts'
import { othersTurn } from './turn.ts'
import { writeHour } from './write-hour.ts'

/** One writer at a time: what is sealed must not be appended to in between. */
export const HISTORY_WRITERS = 'history'

type SealParts = { readonly db: Database; readonly stored: StoredHistory; readonly blocks: Blocks }

/** Makes blocks of a system's samples of every hour that ended by `untilMs`: a transaction each hour. */
export async function sealHours({ db, stored, blocks }: SealParts, system: number, untilMs: number): Promise<void> {
  for (;;) {
    const earliest = stored.open.earliest(system)
    if (earliest === undefined || bucketStart(earliest, HOUR_MS) + HOUR_MS > untilMs) return
    const hour = bucketStart(earliest, HOUR_MS)
    const before = stored.sealed.get(system)
    try {
      await db.write(async (unit) => {
        await unit.alone(HISTORY_WRITERS)
        await sealHour(unit, { stored, blocks }, system, hour)
        // Before the commit: whoever waits for its end must not take the hour for open.
        stored.sealed.set(system, hour + HOUR_MS)
      }, 'process')
    } catch (error) {
      if (before === undefined) stored.sealed.delete(system)
      else stored.sealed.set(system, before)
      throw error
    }
    stored.open.drop(system, hour + HOUR_MS)
    await othersTurn()
  }
}

async function sealHour(unit: UnitOfWork, { stored, blocks }: Omit<SealParts, 'db'>, system: number, hour: number): Promise<void> {
  const samples = await stored.open.read(unit.sql, system, { fromMs: hour, toMs: hour + HOUR_MS })
  await writeSamples(unit, blocks, { system, hour }, samples)
  await unit.sql
    .updateTable('history_systems')
    .set({ sealed: hour + HOUR_MS })
    .where('no', '=', system)
    .execute()
}

/** Puts samples of one hour, of both kinds, into the hour's blocks. */
export async function writeSamples(
  unit: UnitOfWork,
  blocks: Blocks,
  { system, hour }: { readonly system: number; readonly hour: number },
  samples: readonly OpenSample[],
): Promise<void> {
  const of = stretchesOf(samples, blocks.numbers, (at, reason) => blocks.damaged(describeSample(at), reason))
  await writeHour(unit, blocks, { system, hour, samples: { system: of('system'), containers: of('containers') } })
}

/** Joins the hours of every day that ended by `untilMs`: a transaction each day. Returns from when on nothing is left to join. */
export async function sealDays({ db, stored, blocks }: SealParts, system: number, fromMs: number, untilMs: number): Promise<number> {
  const toMs = bucketStart(untilMs, DAY_MS)
  let from = fromMs
  for (;;) {
    const done = await db.write(async (unit) => {
      await unit.alone(HISTORY_WRITERS)
      const first = await firstToCompact(unit, system, { fromMs: from, toMs })
      if (first === undefined) return undefined
      const day = bucketStart(first, DAY_MS)
      const keys = await compactDay(unit, blocks, system, day)
      const used = [...keys].map((key) => stored.series.find(key)).filter((number) => number !== undefined)
      await rememberUse(unit, used, day)
      return day + DAY_MS
    }, 'process')
    if (done === undefined) return toMs
    from = done
    await othersTurn()
  }
}

const NUMBERS_AT_ONCE = 500

/** Names are remembered for as long as their data: this is how long that is. */
async function rememberUse(unit: UnitOfWork, numbers: readonly number[], day: number): Promise<void> {
  for (let first = 0; first < numbers.length; first += NUMBERS_AT_ONCE) {
    const some = numbers.slice(first, first + NUMBERS_AT_ONCE)
    await unit.sql.updateTable('history_series').set({ used: day }).where('no', 'in', some).where('used', '<', day).execute()
  }
}
