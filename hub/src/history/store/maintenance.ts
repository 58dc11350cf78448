import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/db/database.ts'
import type { Log } from '../../platform/log.ts'
import { type Blocks, removeBlocks } from './block-table.ts'
import type { History } from '../model/history.ts'
import { HISTORY_NAMES, type StoredHistory, numberOf, refreshNames, seriesOf } from './stored-history.ts'
import { keysOfOldRows, loadOldRows, moveOldRows } from './old-rows.ts'
import { dropOld, isAnyOlder, keptFrom, loadSizes, type Retention } from './retention.ts'
import { HISTORY_BLOCKS, lockSystem, sealDays, sealHours } from './seal.ts'
import { bucketStart, DAY_MS, HOUR_MS, type Tier } from '../model/tier.ts'
import { othersTurn } from './turn.ts'

/** Delay between the end of an hour and its sealing, for late samples. Agents may date a sample up to two minutes back. */
const GRACE_MS = 3 * 60_000
/** The systems are spread over this time after the grace period. */
const SPREAD_MS = 50 * 60_000
/** Systems per call; the rest follow in the next call. */
const SYSTEMS_AT_ONCE = 50
const OLD_ROWS_AT_ONCE = 20
const REMOVED_AT_ONCE = 500
const TRIM_EVERY_MS = 60_000

type MaintenanceParts = {
  readonly db: Database
  readonly clock: Clock
  readonly log: Log
  readonly retention: () => Promise<Retention>
  readonly stored: () => Promise<StoredHistory>
  /** True when other hubs store samples in the same database. */
  readonly isShared: boolean
}

/** Start of each tier's retention, and whether any block may be older. */
type Expiry = { readonly from: Readonly<Record<Tier, number>>; readonly isAnyOlder: boolean }
/** One system's work. The systems of a run share one look at the sizes and the settings. */
type Turn = { readonly system: number; readonly untilMs: number; readonly expiry: () => Promise<Expiry> }

/**
 * Seals hours, joins days, deletes old data and moves rows of the first version. Each system has its own moment of the hour, so that the
 * work never piles up.
 */
export function maintenance({ db, clock, log, retention, stored, isShared }: MaintenanceParts): Pick<History, 'maintain' | 'forget'> {
  /** Hour and day up to which each system's work is done, by system number, epoch milliseconds. */
  const hours = new Map<number, number>()
  const days = new Map<number, number>()
  let running: Promise<void> | undefined
  let trimmedAtMs = 0
  let oldRowsLeft = true
  let goneLeft = true
  let namesDeletedOn = 0

  const damaged: Blocks['damaged'] = (what, reason) => log.error('what is damaged was left out', { what, reason })

  async function run(signal?: AbortSignal): Promise<void> {
    const history = await stored()
    await refreshNames(history, db.kysely, isShared ? 'always' : undefined)
    const nowMs = clock.now()
    await lookAfterSystems(history, nowMs, signal)
    if (signal?.aborted === true) return
    if (oldRowsLeft) await moveSome(history, nowMs)
    if (goneLeft) await removeSome(history)
    const day = bucketStart(nowMs, DAY_MS)
    if (namesDeletedOn !== day) await deleteUnusedNames(history, day)
    if (nowMs - trimmedAtMs >= TRIM_EVERY_MS || nowMs < trimmedAtMs) {
      trimmedAtMs = nowMs
      await trim(history)
    }
  }

  async function trim(history: StoredHistory): Promise<void> {
    for (let isMore = true; isMore;) {
      isMore = await db.write((unit) => history.open.trim(unit), 'process')
      await othersTurn()
    }
  }

  async function lookAfterSystems(history: StoredHistory, nowMs: number, signal: AbortSignal | undefined): Promise<void> {
    let left = SYSTEMS_AT_ONCE
    const expiry = lazily(loadExpiry)
    for (const name of history.systems.names()) {
      const system = history.systems.find(name)
      if (system === undefined) continue
      const untilMs = bucketStart(nowMs - GRACE_MS - momentOf(system), HOUR_MS)
      if (hours.get(system) === untilMs) continue
      if (left-- === 0 || signal?.aborted === true) return
      try {
        await maintainSystem(history, { system, untilMs, expiry })
      } catch (error) {
        log.error('history of a system not sealed', { system: name, error })
      }
      hours.set(system, untilMs)
      await othersTurn()
    }
  }

  async function maintainSystem(history: StoredHistory, { system, untilMs, expiry }: Turn): Promise<void> {
    const parts = { db, stored: history, blocks: { numbers: history.numbers, damaged } }
    await sealHours(parts, system, untilMs)
    const day = bucketStart(untilMs, DAY_MS)
    const joined = days.get(system)
    if (joined === day) return
    days.set(system, day)
    await sealDays(parts, system, 0, untilMs)
    const { from, isAnyOlder } = await expiry()
    if (!isAnyOlder) return
    await db.write(async (unit) => {
      await unit.alone(HISTORY_BLOCKS)
      await dropOld(unit, system, from)
    }, 'process')
  }

  async function loadExpiry(): Promise<Expiry> {
    const sizes = await loadSizes(db.kysely)
    const from = keptFrom(await retention(), sizes, clock.now())
    return { from, isAnyOlder: isAnyOlder(sizes, from) }
  }

  /** Moves some rows of the first version into blocks. Minutes wait until their hour and its grace period are over. */
  async function moveSome(history: StoredHistory, nowMs: number): Promise<void> {
    for (let left = OLD_ROWS_AT_ONCE; left > 0; left--) {
      const moved = await db.write(async (unit) => {
        // Late samples take the two locks in this order.
        await unit.alone(HISTORY_NAMES)
        await unit.alone(HISTORY_BLOCKS)
        const old = await loadOldRows(unit)
        if (old === undefined) return 'nothing left'
        if (old.tier === '1m' && old.toMs + GRACE_MS > nowMs) return 'too soon'
        const own = await history.systems.assure(unit, [old.system])
        const numbers = seriesOf(history.series, await history.series.assure(unit, keysOfOldRows(old)))
        await moveOldRows(unit, { numbers, damaged }, old, numberOf(history.systems, own, old.system))
        return 'moved'
      }, 'process')
      oldRowsLeft = moved !== 'nothing left'
      await othersTurn()
      if (moved !== 'moved') return
    }
  }

  /**
   * Once a day: deletes the numbers of series whose data is gone. The extra 40 days cover a month's block, which stays as long as its last
   * day.
   */
  async function deleteUnusedNames(history: StoredHistory, day: number): Promise<void> {
    namesDeletedOn = day
    const kept = keptFrom(await retention(), [], clock.now())
    const oldest = Math.min(...Object.values(kept)) - 40 * DAY_MS
    const forgotten = await db.write(async (unit) => {
      await unit.alone(HISTORY_BLOCKS)
      // Series that are in no joined day yet age from today on.
      await unit.sql.updateTable('history_series').set({ used: day }).where('used', '=', 0).execute()
      // A series that was added since then has no day.
      const unused = unit.sql.deleteFrom('history_series').where('used', '>', 0).where('used', '<', oldest)
      return unused.returning('name').execute()
    }, 'process')
    for (const { name } of forgotten) if (name !== null) history.series.forget(name)
    if (forgotten.length > 0) history.numbers = seriesOf(history.series)
  }

  /** Removes blocks of deleted systems, in batches. */
  async function removeSome(history: StoredHistory): Promise<void> {
    const gone = await db.kysely.selectFrom('history_systems').select('no').where('name', 'is', null).limit(1).executeTakeFirst()
    goneLeft = gone !== undefined
    if (gone === undefined) return
    await db.write(async (unit) => {
      await lockSystem(unit, db, gone.no)
      const removed = await removeBlocks(unit, gone.no, { most: REMOVED_AT_ONCE })
      await history.open.remove(unit, gone.no, Number.MAX_SAFE_INTEGER)
      if (removed < REMOVED_AT_ONCE) await unit.sql.deleteFrom('history_systems').where('no', '=', gone.no).execute()
    }, 'process')
    history.open.forget(gone.no, Number.POSITIVE_INFINITY)
  }

  return {
    maintain: (signal) =>
      (running ??= run(signal).finally(() => {
        running = undefined
      })),
    async forget(systemId) {
      const history = await stored()
      await refreshNames(history, db.kysely)
      await db.write(async (unit) => {
        await unit.sql.updateTable('history_systems').set({ name: null }).where('name', '=', systemId).execute()
        await unit.alone(HISTORY_BLOCKS)
        await unit.sql.deleteFrom('history_rows').where('system', '=', systemId).execute()
      }, 'process')
      const system = history.systems.find(systemId)
      if (system !== undefined) history.open.forget(system, Number.POSITIVE_INFINITY)
      history.systems.forget(systemId)
      goneLeft = true
    },
  }
}

/** Asks once, at the first need. */
function lazily<Value>(ask: () => Promise<Value>): () => Promise<Value> {
  let asked: Promise<Value> | undefined
  return () => (asked ??= ask())
}

/** A system's moment of the hour, milliseconds after the grace period: spread by its number, equal every hour. */
function momentOf(system: number): number {
  return Math.floor(((Math.imul(system, 0x9e3779b1) >>> 0) / 2 ** 32) * SPREAD_MS)
}
