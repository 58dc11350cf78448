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
  /** True when other hubs store samples in the same database. */
  readonly isShared?: boolean
}

/** The history: recent samples in an open table, older ones in sealed blocks. The first call loads an index of the stored history. */
export function historyStore({ db, clock, bus, log, retention = async () => standardRetention, isShared = false }: HistoryParts): History {
  let loading: Promise<StoredHistory> | undefined
  const stored = (): Promise<StoredHistory> =>
    (loading ??= loadStoredHistory(db).catch((error: unknown) => {
      loading = undefined
      throw error
    }))
  const { maintain, forget } = maintenance({ db, clock, log, retention, stored, isShared })
  const append = appendSamples({ clock, log })
  bus.subscribe(['systems'], ({ action, record, hub }) => {
    if (action !== 'delete') return
    // The hub that deleted the system removes its history; the others only forget it.
    if (hub !== undefined)
      return void forgetLocally(record.id).catch((error: unknown) =>
        log.error('history of a deleted system not forgotten', { system: record.id, error }),
      )
    forget(record.id).catch((error: unknown) => log.error('history of a deleted system not removed', { system: record.id, error }))
  })

  /** The history with the names that other hubs have added. */
  async function current(): Promise<StoredHistory> {
    const history = await stored()
    if (isShared) await refreshNames(history, db.kysely, 'always')
    return history
  }

  async function forgetLocally(id: string): Promise<void> {
    const history = await stored()
    const number = history.systems.find(id)
    if (number !== undefined) history.open.forget(number, Number.POSITIVE_INFINITY)
    history.systems.forget(id)
  }

  return {
    append: async (unit, samples) => append(unit, await stored(), samples),
    read: async (query) => readHistory(db.kysely, await current(), query, clock.now()),
    async keptFrom() {
      const kept = await retention()
      // Sizes matter only when the retention has a byte limit.
      return keptFrom(kept, kept.mostBytes === undefined ? [] : await loadSizes(db.kysely), clock.now())
    },
    async systems() {
      const history = await current()
      await refreshNames(history, db.kysely)
      return [...history.systems.names()]
    },
    maintain,
    forget,
  }
}
