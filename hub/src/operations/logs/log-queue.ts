import type { LogEntry } from './log-entry.ts'

/** What has happened and is not stored yet. */
export type LogQueue = {
  /** Costs whoever tells nothing: what there is no room for is counted. */
  readonly note: (entry: LogEntry) => void
  /** The oldest, taken out. */
  readonly take: (most: number) => readonly LogEntry[]
  /** What could not be stored, put back where it was; what there is no room for is counted. */
  readonly putBack: (entries: readonly LogEntry[]) => void
  /** How many had no room since this was last queries. */
  readonly takeDropped: () => number
  readonly isEmpty: () => boolean
  readonly waiting: () => number
  /** Told when there is something after there was nothing. */
  readonly onNote: (listener: () => void) => void
}

/** A second of a busy hub, many times over; a few megabytes at most. */
const MOST_WAITING = 2_000

export function openLogQueue(): LogQueue {
  let waiting: LogEntry[] = []
  let dropped = 0
  let tell: () => void = () => {}

  return {
    note(entry) {
      if (waiting.length >= MOST_WAITING) dropped += 1
      else if (waiting.push(entry) === 1) tell()
    },
    take: (most) => waiting.splice(0, most),
    putBack(entries) {
      const room = MOST_WAITING - waiting.length
      dropped += Math.max(0, entries.length - room)
      // The newest of what is old: it lies next to what is there.
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
      tell = listener
      if (waiting.length > 0) tell()
    },
  }
}
