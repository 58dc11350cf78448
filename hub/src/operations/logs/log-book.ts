import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/db/database.ts'
import { databaseFailure } from '../../platform/db/database-failures.ts'
import type { Log } from '../../platform/log.ts'
import { startLoop } from '../../platform/loop.ts'
import { levels, rowOf, type LogEntry } from './log-entry.ts'
import { insertLogs } from './log-table.ts'
import type { LogQueue } from './log-queue.ts'
import type { LogSettings } from './log-settings.ts'

/** Background writer of the stored log: takes log entries from the in-memory queue and stores them in batches. */
export type LogBook = AsyncDisposable & {
  readonly database: Database
  /**
   * Stores all entries of the in-memory log queue now, instead of after a delay. Resolves when that has ended, also when storing failed.
   */
  readonly flush: () => Promise<void>
  /**
   * Calls the listener after each stored batch of log entries, with the row number of the batch's last entry. Returns the function that
   * unsubscribes.
   */
  readonly onStored: (listener: (lastSeq: number) => void) => () => void
  /**
   * Sets whether an admin views the log live. If true, the writer stores queued entries after at most 200 ms, otherwise after at most 1 s.
   */
  readonly setWatched: (isWatched: boolean) => void
}

export type LogBookParts = {
  readonly queue: LogQueue
  readonly database: Database
  readonly settings: () => Promise<LogSettings>
  readonly clock: Clock
  /**
   * Logger for errors of the log writer itself. It must not write to the stored log, because a failing write would then cause another one.
   */
  readonly log: Log
}

const SOON_MS = 1_000
const WATCHED_MS = 200
/**
 * Maximum number of log rows that one transaction stores: 128. More rows are stored in further transactions, so that other writers wait
 * only a few milliseconds.
 */
const ROWS_AT_ONCE = 128

export function openLogBook({ queue, database, settings, clock, log }: LogBookParts): LogBook {
  const listeners = new Set<(lastSeq: number) => void>()
  let isWatched = false
  let isFailing = false
  const delayMs = (): number => (isWatched ? WATCHED_MS : SOON_MS)

  /**
   * Stores those of `entries` whose level the log settings `kept` allow, without IP addresses or user ids if the settings say so. Resolves
   * to the row number of the last stored entry; `undefined` when none was stored.
   */
  async function store(entries: readonly LogEntry[], kept: LogSettings): Promise<number | undefined> {
    const rows = entries.flatMap((entry) => asKept(entry, kept)).map(rowOf)
    return rows.length === 0 ? undefined : insertLogs(database, rows)
  }

  /**
   * Stores log entries one by one after storing them together failed, and skips those that cannot be stored. Resolves to the row number of
   * the last stored entry; `undefined` if none was stored. Rejects when the database itself fails.
   */
  async function storeEach(entries: readonly LogEntry[], kept: LogSettings): Promise<number | undefined> {
    let last: number | undefined
    for (const entry of entries) {
      try {
        last = (await store([entry], kept)) ?? last
      } catch (error) {
        if (databaseFailure(error) !== undefined) throw error
        log.warn('log entry not stored', { error })
      }
    }
    return last
  }

  async function storeSome(): Promise<boolean> {
    const entries = queue.take(ROWS_AT_ONCE)
    let last: number | undefined
    try {
      const kept = await settings()
      last = await store(entries, kept).catch((error: unknown) => {
        if (databaseFailure(error) !== undefined) throw error
        return storeEach(entries, kept)
      })
    } catch (error) {
      queue.putBack(entries)
      if (!isFailing) log.warn('log storage paused', { error })
      isFailing = true
      return false
    }
    if (isFailing) log.info('log storage resumed')
    isFailing = false
    if (last !== undefined) for (const listener of listeners) listener(last)
    return true
  }

  async function storeAll(): Promise<number | undefined> {
    while (!queue.isEmpty()) {
      if (!(await storeSome())) break
      const dropped = queue.takeDropped()
      if (dropped > 0) queue.note(droppedEntry(dropped, clock.now()))
    }
    return queue.isEmpty() ? undefined : delayMs()
  }

  const loop = startLoop({ work: storeAll, onError: (error) => log.error('log not stored', { error }) })
  async function flush(): Promise<void> {
    loop.wake()
    await loop.settled()
  }

  queue.onNote(() => loop.wake(delayMs()))
  return {
    database,
    flush,
    onStored(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    setWatched(watched) {
      isWatched = watched
    },
    async [Symbol.asyncDispose]() {
      await flush()
      await loop[Symbol.asyncDispose]()
    },
  }
}

function asKept({ address, account, data, ...entry }: LogEntry, kept: LogSettings): LogEntry[] {
  if (kept.maxDays === 0 || entry.level < kept.minLevel) return []
  const hidden = new Set([...(kept.logIP ? [] : ['userIP', 'remoteIP']), ...(kept.logAuthId ? [] : ['authId'])])
  const shown = hidden.size === 0 ? data : Object.fromEntries(Object.entries(data).filter(([name]) => !hidden.has(name)))
  return [{ ...entry, address: kept.logIP ? address : '', account: kept.logAuthId ? account : '', data: shown }]
}

const droppedEntry = (dropped: number, atMs: number): LogEntry => ({
  atMs,
  level: levels.warn,
  message: 'log entries were dropped: the queue was full',
  account: '',
  address: '',
  data: { type: 'hub', area: 'logs', dropped },
})
