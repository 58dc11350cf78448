import { pointsOf, type SeriesValues, type StoredKind } from '@vedette/protocol/metrics/series'
import { historyStore, type HistoryParts } from '../src/history/history-store.ts'
import type { History } from '../src/history/model/history.ts'
import type { Tier } from '../src/history/model/tier.ts'
import { silentLog, type TestDatabase } from './databases.ts'
import { valuesAt } from './stored-samples.ts'

export const MINUTE_MS = 60_000
export const HOUR_MS = 60 * MINUTE_MS
export const DAY_MS = 24 * HOUR_MS
export const EVER = { fromMs: 0, toMs: Number.MAX_SAFE_INTEGER }

export type Point = readonly [system: string, atMs: number, values: SeriesValues]

/** A history on a real database under a clock that only the test moves. */
export type HistoryScene = {
  readonly test: TestDatabase
  readonly history: History
  readonly now: () => number
  readonly advanceTo: (nowMs: number) => void
  readonly append: (system: string, atMs: number, values: SeriesValues, containers?: SeriesValues) => Promise<void>
  readonly points: (tier: Tier, kind?: StoredKind) => Promise<readonly Point[]>
  /** Lets everything that is due by now happen. */
  readonly settle: () => Promise<void>
  /** Another hub on the same database, at the same time. */
  readonly again: () => HistoryScene
}

export function historyScene(test: TestDatabase, startMs: number, parts: Partial<HistoryParts> = {}): HistoryScene {
  let nowMs = startMs
  const { database, bus } = test
  const history = historyStore({ db: database, clock: { now: () => nowMs }, bus, log: silentLog, ...parts })
  return {
    test,
    history,
    now: () => nowMs,
    advanceTo: (next) => void (nowMs = next),
    append: (system, atMs, values, containers) =>
      database.write((unit) =>
        history.append(unit, [
          { system, atMs, kinds: { system: pointsOf(values), ...(containers && { containers: pointsOf(containers) }) } },
        ]),
      ),
    async points(tier, kind = 'system') {
      const found = await history.read({ kind, tier, window: EVER })
      return found.flatMap(({ system, table }) => table.times.map((atMs, at): Point => [system, atMs, valuesAt(table, at)]))
    },
    async settle() {
      for (let round = 0; round < 5; round++) await history.maintain()
    },
    again: () => historyScene(test, nowMs, parts),
  }
}

/** Row count of `history_open`, and the parts of all `history_blocks`. */
export async function rowsOf({ database }: TestDatabase): Promise<{ readonly open: number; readonly parts: readonly number[] }> {
  const open = await database.kysely.selectFrom('history_open').select('id').execute()
  const blocks = await database.kysely.selectFrom('history_blocks').select('part').orderBy('part').execute()
  return { open: open.length, parts: blocks.map(({ part }) => part) }
}
