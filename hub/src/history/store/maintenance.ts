import { setImmediate as othersTurn } from 'node:timers/promises'
import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/db/database.ts'
import type { Log } from '../../platform/log.ts'
import { type Blocks, removeBlocks } from './block-table.ts'
import { firstToCompact } from './compact.ts'
import type { History } from '../model/history.ts'
import { HISTORY_NAMES, type StoredHistory, numberOf, refreshNames, seriesOf } from './stored-history.ts'
import { keysOfOldRows, loadOldRows, moveOldRows } from './old-rows.ts'
import { dropOld, isAnyOlder, keptFrom, loadSizes, type Retention } from './retention.ts'
import { HISTORY_BLOCKS, lockSystem, sealDays, sealHours } from './seal.ts'
import { UNUSED_MS } from './used-series.ts'
import { bucketStart, DAY_MS, HOUR_MS, type Tier } from '../model/tier.ts'

/**
 * Delay between the end of an hour and the compression of its samples into blocks, in ms: 3 min, for late samples. Agents may date a sample
 * up to two minutes back.
 */
export const GRACE_MS = 3 * 60_000
/** Time in ms over which the compression of an ended hour is spread, system by system: 50 min. It begins 3 min after the full hour. */
const SPREAD_MS = 50 * 60_000
/**
 * Maximum number of systems whose history one call of the maintenance handles: 50. Further systems follow in the next call, a few seconds
 * later.
 */
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
  /** True when other hubs store samples in the same database as this hub. False for a single hub. */
  readonly isShared: boolean
}

/**
 * Retention limits during maintenance. `from`: map from tier (resolution) to the start of its retention in epoch ms. `isAnyOlder`: true
 * when stored blocks may be older, so that a deletion is needed.
 */
type Expiry = { readonly from: Readonly<Record<Tier, number>>; readonly isAnyOlder: boolean }
/**
 * Maintenance task for one system: compress its hours that ended by `untilMs` (epoch ms) into blocks. `name` is the system's id, `system`
 * its short number.
 */
type Turn = { readonly name: string; readonly system: number; readonly untilMs: number }
/** Data about the systems that one maintenance run handles. Each field is loaded with one query, so that no query per system is needed. */
type RunFacts = {
  /** Map from a system's short number to the time (epoch ms) of its earliest sample that is not compressed into a block yet. */
  readonly open: ReadonlyMap<number, number>
  /**
   * Map from a system's short number to the start (epoch ms) of its first hour whose blocks are not yet joined into a day's block. Systems
   * without such an hour are absent.
   */
  readonly unjoined: ReadonlyMap<number, number>
  readonly expiry: () => Promise<Expiry>
}

/**
 * Creates the maintenance of the history: compressing hours into blocks, joining days, deleting old data, and converting rows in the format
 * of the first version. Each system has its own minute of the hour, so that the work is spread.
 */
export function maintenance({ db, clock, log, retention, stored, isShared }: MaintenanceParts): Pick<History, 'maintain' | 'forget'> {
  /**
   * Map from a system's short number to the end (epoch ms) of the hours of samples that this process last tried to compress into blocks.
   * It prevents a second attempt for the same hours.
   */
  const hours = new Map<number, number>()
  const days = new Map<number, number>()
  let running: Promise<void> | undefined
  let trimmedAtMs = 0
  let hasOldRows = true
  let hasDeletedSystems = true
  let namesDeletedOn = 0

  const damaged: Blocks['damaged'] = (what, reason) => log.error('damaged history skipped', { what, reason })

  async function run(signal?: AbortSignal): Promise<void> {
    const history = await stored()
    await refreshNames(history, db.kysely, isShared ? 'always' : undefined)
    const nowMs = clock.now()
    await lookAfterSystems(history, nowMs, signal)
    if (signal?.aborted === true) return
    if (hasOldRows) await convertOldRows(history, nowMs)
    if (hasDeletedSystems) await removeDeletedSystems(history)
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
    const turns = nextTurns(history, nowMs)
    if (turns.length === 0) return
    const facts = await loadFacts(history, turns)
    for (const turn of turns) {
      if (signal?.aborted === true) return
      try {
        await maintainSystem(history, turn, facts)
      } catch (error) {
        log.error('history of a system not sealed', { system: turn.name, error })
      }
      hours.set(turn.system, turn.untilMs)
      await othersTurn()
    }
  }

  function nextTurns({ systems }: StoredHistory, nowMs: number): readonly Turn[] {
    const turns: Turn[] = []
    for (const name of systems.names()) {
      const system = systems.find(name)
      if (system === undefined) continue
      const untilMs = bucketStart(nowMs - GRACE_MS - maintenanceOffsetMs(system), HOUR_MS)
      if (hours.get(system) !== untilMs) turns.push({ name, system, untilMs })
      if (turns.length === SYSTEMS_AT_ONCE) break
    }
    return turns
  }

  async function loadFacts({ open }: StoredHistory, turns: readonly Turn[]): Promise<RunFacts> {
    const unjoined = turns.filter((turn) => isNewDay(turn)).map(({ system }) => system)
    const hoursWanted = { fromMs: 0, toMs: Math.max(...turns.map(({ untilMs }) => untilMs)) }
    return {
      open: await open.earliest(
        db.kysely,
        turns.map(({ system }) => system),
      ),
      unjoined: await firstToCompact(db.kysely, unjoined, hoursWanted),
      expiry: cachedResult(loadExpiry),
    }
  }

  const isNewDay = ({ system, untilMs }: Turn): boolean => days.get(system) !== bucketStart(untilMs, DAY_MS)

  async function maintainSystem(history: StoredHistory, turn: Turn, { open, unjoined, expiry }: RunFacts): Promise<void> {
    const { system, untilMs } = turn
    const parts = { db, stored: history, blocks: { numbers: history.numbers, damaged } }
    const earliestMs = open.get(system)
    await sealHours(parts, { system, earliestMs, untilMs })
    if (!isNewDay(turn)) return
    const day = bucketStart(untilMs, DAY_MS)
    days.set(system, day)
    // Hours of an earlier day may have been sealed just now.
    const firstMs = Math.min(earliestMs ?? Number.POSITIVE_INFINITY, unjoined.get(system) ?? Number.POSITIVE_INFINITY)
    if (firstMs < day) await sealDays(parts, system, untilMs)
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

  /**
   * Converts up to 20 groups of rows in the format of Vedette's first version into compressed blocks, one block each; the next call
   * continues. It stops at samples of an hour that ended less than 3 min before `nowMs`.
   */
  async function convertOldRows(history: StoredHistory, nowMs: number): Promise<void> {
    for (let left = OLD_ROWS_AT_ONCE; left > 0; left--) {
      const moved = await db.write(async (unit) => {
        // The same lock order as for late samples.
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
      hasOldRows = moved !== 'nothing left'
      await othersTurn()
      if (moved !== 'moved') return
    }
  }

  /**
   * Deletes the short numbers of history series whose last data is over 40 days older than the longest retention. Called once a day; `day`
   * is its start in epoch ms. Other hubs confirm a number before they use it, see `used-series.ts`.
   */
  async function deleteUnusedNames(history: StoredHistory, day: number): Promise<void> {
    namesDeletedOn = day
    const kept = keptFrom(await retention(), [], clock.now())
    const oldest = Math.min(...Object.values(kept)) - UNUSED_MS
    const forgotten = await db.write(async (unit) => {
      await unit.alone(HISTORY_BLOCKS)
      // The age of series that are not in a compacted day yet counts from today.
      await unit.sql.updateTable('history_series').set({ used: day }).where('used', '=', 0).execute()
      // A series that was added in the meantime has `used` 0.
      const unused = unit.sql.deleteFrom('history_series').where('used', '>', 0).where('used', '<', oldest)
      return unused.returning('name').execute()
    }, 'process')
    for (const { name } of forgotten) if (name !== null) history.series.forget(name)
    if (forgotten.length > 0) history.numbers = seriesOf(history.series)
  }

  /**
   * Deletes up to 500 compressed history blocks of one deleted system, and its uncompressed samples. Once no block is left, it deletes the
   * system's short number, too.
   */
  async function removeDeletedSystems(history: StoredHistory): Promise<void> {
    const gone = await db.kysely.selectFrom('history_systems').select('no').where('name', 'is', null).limit(1).executeTakeFirst()
    hasDeletedSystems = gone !== undefined
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
      hasDeletedSystems = true
    },
  }
}

/**
 * Returns a function that calls `ask`, such as a database query, at its first call only. Each call returns the promise of that first call.
 */
function cachedResult<Value>(ask: () => Promise<Value>): () => Promise<Value> {
  let asked: Promise<Value> | undefined
  return () => (asked ??= ask())
}

/**
 * Returns the delay in ms (0 to 50 min) with which a system's samples of an hour are compressed. It counts from 3 min after the hour's end.
 * It is derived from the system's short number, so that the work is spread.
 */
function maintenanceOffsetMs(system: number): number {
  return Math.floor(((Math.imul(system, 0x9e3779b1) >>> 0) / 2 ** 32) * SPREAD_MS)
}
