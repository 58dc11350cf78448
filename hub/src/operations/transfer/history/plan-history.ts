import type { StoredKind } from '@vedette/protocol/metrics/series'
import { setImmediate as othersTurn } from 'node:timers/promises'
import type { History } from '../../../history/model/history.ts'
import { DAY_MS, type Tier } from '../../../history/model/tier.ts'
import { historyStore } from '../../../history/history-store.ts'
import { expiryTest, keptFrom, loadSizes } from '../../../history/store/retention.ts'
import { fillableUntil } from '../../../history/store/fill.ts'
import { inProcessEventBus } from '../../../platform/events/event-bus.ts'
import { silentLog } from '../../../platform/log.ts'
import { retentionSettings } from '../../../settings/retention-settings.ts'
import type { ForeignHub, TransferPlan, TransferTarget } from '../foreign-hub.ts'
import { arrangeRows, tablesOfRows, type Arrangement, type StatsRow, type PresentTimes } from './arrange-rows.ts'
import { parseRowTime } from './row-time.ts'
import { rowsBySystem } from './foreign-rows.ts'
import { rowCounts, type RowCounts } from './row-counts.ts'

/**
 * List of the two kinds of history that an import copies, in this order: `system`, then `containers`. Each transaction has the data of one
 * system and one kind.
 */
const kinds = ['system', 'containers'] as const satisfies readonly StoredKind[]

/**
 * Estimated bytes that one imported value adds to the database: 2 for a value of a sample, 4.8 for an average with its maximum. Measured
 * with the benchmark row `IM`.
 */
const BYTES_OF = { sample: 2, average: 4.8 }

/**
 * Plans the import of another hub's history. `systems` maps its system ids to those in this hub. Reads all rows once, and decodes those to
 * import, to count them; the plan's `write` reads them again.
 */
export async function planHistory(
  { database }: Pick<ForeignHub, 'database'>,
  target: Pick<TransferTarget, 'database' | 'clock'>,
  systems: ReadonlyMap<string, string>,
): Promise<TransferPlan> {
  const history = historyStore({
    db: target.database,
    clock: target.clock,
    bus: inProcessEventBus(),
    log: silentLog,
    retention: retentionSettings(target.database).load,
  })
  const nowMs = target.clock.now()
  const retention = await retentionSettings(target.database).load()
  const from = keptFrom(retention, await loadSizes(target.database.kysely), nowMs)
  const base = { nowMs, untilMs: fillableUntil(nowMs), isExpired: expiryTest(from) }
  const walk = async (counts: RowCounts, visit: Visit): Promise<void> => {
    for (const kind of kinds)
      for (const { system: id, rows } of rowsBySystem(database, kind)) {
        const system = typeof id === 'string' ? systems.get(id) : undefined
        counts.begin(String(id))
        if (system === undefined) countOrphans(counts, rows)
        else await visit({ system, rows }, { ...base, kind, counts, present: await presentTimes(history, { system, kind, rows }) })
        await othersTurn()
      }
  }
  const counts = rowCounts()
  await walk(counts, async ({ rows }, arrangement) => void arrangeRows(rows, arrangement))
  const values = counts.values()
  return {
    lines: counts.lines(),
    rows: counts.rows(),
    bytes: Math.ceil(values.samples * BYTES_OF.sample + values.averages * BYTES_OF.average),
    async write(progress, signal) {
      const written = rowCounts()
      await walk(written, async ({ system, rows }, arrangement) => {
        signal.throwIfAborted()
        const tables = tablesOfRows(arrangeRows(rows, arrangement), arrangement)
        await history.storePast({ system, kind: arrangement.kind, untilMs: base.untilMs, ...tables })
        progress(written.rows())
      })
      progress(written.rows())
      await history.secure()
    },
  }
}

type Visit = (rows: { readonly system: string; readonly rows: readonly StatsRow[] }, arrangement: Arrangement) => Promise<void>

function countOrphans(counts: RowCounts, rows: readonly StatsRow[]): void {
  for (const { type, created } of rows) {
    counts.found(String(type))
    counts.leftOut(String(type), 'its system is not taken', String(created))
  }
}

type KindRows = { readonly system: string; readonly kind: StoredKind; readonly rows: readonly StatsRow[] }

/**
 * Resolves to the times at which this hub already has data of a system and kind, so that imported rows do not replace it. Earlier times
 * than one day before the first imported row are not loaded.
 */
async function presentTimes(history: History, { system, kind, rows }: KindRows): Promise<PresentTimes> {
  const firstMs = firstTimes(rows)
  const timesOf = async (tier: Tier, types: readonly string[]): Promise<readonly number[]> => {
    const fromMs = Math.min(...types.map((type) => firstMs.get(type) ?? Number.POSITIVE_INFINITY))
    if (fromMs === Number.POSITIVE_INFINITY) return []
    const window = { fromMs: fromMs - DAY_MS, toMs: Number.MAX_SAFE_INTEGER }
    const [found] = await history.read({ systems: [system], kind, tier, window, isWanted: () => false })
    return found?.table.times ?? []
  }
  return {
    samples: await timesOf('1m', ['1m']),
    tens: new Set(await timesOf('10m', ['1m', '10m', '20m'])),
    hours: new Set(await timesOf('2h', ['1m', '10m', '20m', '120m', '480m'])),
  }
}

/**
 * Returns a map from type of imported rows (such as `10m`) to the first readable time (epoch ms) of that type. The rows must be sorted by
 * time within a type.
 */
function firstTimes(rows: readonly StatsRow[]): ReadonlyMap<string, number> {
  const first = new Map<string, number>()
  for (const { type, created } of rows) {
    const name = String(type)
    const atMs = first.has(name) ? undefined : parseRowTime(created)
    if (atMs !== undefined) first.set(name, atMs)
  }
  return first
}
