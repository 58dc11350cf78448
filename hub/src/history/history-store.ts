import type { Clock } from '../platform/clock.ts'
import type { Database } from '../platform/db/database.ts'
import type { EventBus } from '../platform/events/event-bus.ts'
import type { Log } from '../platform/log.ts'
import { appendSamples } from './store/append.ts'
import type { History } from './model/history.ts'
import { maintenance } from './store/maintenance.ts'
import { readHistory } from './read/read-history.ts'
import { keptFrom, loadSizes, standardRetention, type Retention } from './store/retention.ts'
import { loadStoredHistory, refreshNames, type StoredHistory } from './store/stored-history.ts'

export type HistoryParts = {
  readonly db: Database
  readonly clock: Clock
  readonly bus: EventBus
  readonly log: Log
  readonly retention?: () => Promise<Retention>
}

/** The history: recent samples in an open table, older ones in sealed blocks. The first call loads an index of the stored history. */
export function historyStore({ db, clock, bus, log, retention = async () => standardRetention }: HistoryParts): History {
  let loading: Promise<StoredHistory> | undefined
  const stored = (): Promise<StoredHistory> =>
    (loading ??= loadStoredHistory(db).catch((error: unknown) => {
      loading = undefined
      throw error
    }))
  const { maintain, forget } = maintenance({ db, clock, log, retention, stored })
  const append = appendSamples({ clock, log })
  bus.subscribe(['systems'], ({ action, record, hub }) => {
    // The hub that deleted the system removes its history.
    if (action !== 'delete' || hub !== undefined) return
    forget(record.id).catch((error: unknown) => log.error('history of a deleted system not removed', { system: record.id, error }))
  })
  return {
    append: async (unit, samples) => append(unit, await stored(), samples),
    read: async (query) => readHistory(db.kysely, await stored(), query, clock.now()),
    async keptFrom() {
      const kept = await retention()
      // Sizes matter only when the retention has a byte limit.
      return keptFrom(kept, kept.mostBytes === undefined ? [] : await loadSizes(db.kysely), clock.now())
    },
    async systems() {
      const history = await stored()
      await refreshNames(history, db.kysely)
      return [...history.systems.names()]
    },
    maintain,
    forget,
  }
}
