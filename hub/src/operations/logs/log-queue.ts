import type { Json } from '@vedette/protocol/wire/stats-json'
import { type LogEntry, levels } from './log-entry.ts'
import type { Clock } from '../../platform/clock.ts'
import { serializedFields, type Log, type LogFields, type LogLevel, type LogOf } from '../../platform/log.ts'

/**
 * In-memory queue of log entries that are not stored in the database yet: `note` adds one, `take` removes the oldest for storing. It has at
 * most 2,000 entries.
 */
export type LogQueue = {
  /** Adds a log entry to the in-memory queue, without I/O. A full queue drops the entry and counts it. */
  readonly note: (entry: LogEntry) => void
  /**
   * Removes up to `most` of the oldest entries from the queue of log entries and returns them, oldest first. The caller stores them, or
   * calls `putBack` if that fails.
   */
  readonly take: (most: number) => readonly LogEntry[]
  /**
   * Puts log entries that could not be stored back at the front of the in-memory queue. If they do not all fit, the oldest of them are
   * dropped and counted.
   */
  readonly putBack: (entries: readonly LogEntry[]) => void
  /** Returns the number of log entries that the full queue has dropped since the last call of this function, and resets that count to 0. */
  readonly takeDropped: () => number
  readonly isEmpty: () => boolean
  readonly waiting: () => number
  /**
   * Sets the function that is called when an entry is added while the queue of log entries is empty, so that storing can begin. If entries
   * are queued already, it is called at once.
   */
  readonly onNote: (listener: () => void) => void
}

/**
 * Maximum number of log entries in the in-memory queue: 2,000, a few megabytes. Further entries are dropped and counted until a batch is
 * stored.
 */
const MOST_WAITING = 2_000

/**
 * Creates an empty in-memory queue of log entries. `hub` is the name of this hub among several that share a database; it is added to the
 * data of each entry.
 */
export function openLogQueue(hub?: string): LogQueue {
  let waiting: LogEntry[] = []
  let dropped = 0
  let notify: () => void = () => {}

  return {
    note(entry) {
      if (waiting.length >= MOST_WAITING) dropped += 1
      else if (waiting.push(hub === undefined ? entry : { ...entry, data: { ...entry.data, hub } }) === 1) notify()
    },
    take: (most) => waiting.splice(0, most),
    putBack(entries) {
      const room = MOST_WAITING - waiting.length
      dropped += Math.max(0, entries.length - room)
      // The newest of the returned entries are kept, next to the queued ones.
      waiting = [...entries.slice(Math.max(0, entries.length - room)), ...waiting]
    },
    takeDropped() {
      const count = dropped
      dropped = 0
      return count
    },
    waiting: () => waiting.length,
    isEmpty: () => waiting.length === 0 && dropped === 0,
    onNote(listener) {
      notify = listener
      if (waiting.length > 0) notify()
    },
  }
}

/**
 * Creates a logger factory like `logOf`, a function from area of the hub to logger. Its loggers also put each entry into the queue of
 * entries to store, except those of level `debug`.
 */
export function storedLog(logOf: LogOf, queue: LogQueue, clock: Clock): LogOf {
  return (area) => {
    const log = logOf(area)
    const also =
      (level: Exclude<LogLevel, 'debug'>) =>
      (message: string, fields: LogFields = {}): void => {
        log[level](message, fields)
        const data = { ...asJson(fields), type: 'hub', area }
        queue.note({ atMs: clock.now(), level: levels[level], message, account: '', address: '', data })
      }
    const kept: Log = { debug: log.debug, info: also('info'), warn: also('warn'), error: also('error') }
    return kept
  }
}

function asJson(fields: LogFields): { [name: string]: Json } {
  const text = JSON.stringify(serializedFields(fields))
  const read: { [name: string]: Json } = JSON.parse(text)
  return read
}
