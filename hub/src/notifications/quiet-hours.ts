import { textOf, type StoredRecord } from '../records/stored-record.ts'

/** When somebody is not to be told: a stretch of time, or one of each day, about one system or about all. */
export type QuietWindow = {
  /** `''`: all. */
  readonly system: string
  readonly repeats: 'never' | 'daily'
  /** Epoch milliseconds; of a daily one only its time of day in UTC counts. */
  readonly startMs: number
  readonly endMs: number
}

const DAY_MS = 86_400_000
const MINUTE_MS = 60_000

/** Undefined for one that can never be. */
export function quietWindowOf(record: StoredRecord): QuietWindow | undefined {
  const [startMs, endMs] = [Date.parse(textOf(record, 'start')), Date.parse(textOf(record, 'end'))]
  if (Number.isNaN(startMs) || Number.isNaN(endMs)) return undefined
  return { system: textOf(record, 'system'), repeats: textOf(record, 'type') === 'daily' ? 'daily' : 'never', startMs, endMs }
}

/**
 * When a person may be told about a system again; undefined when they may be now. Windows that follow one another without a gap are one.
 * Ends are outside: a window from 22:00 to 06:00 is over at 06:00.
 */
export function quietUntilMs(windows: readonly QuietWindow[], system: string, nowMs: number): number | undefined {
  const theirs = windows.filter((window) => window.system === '' || window.system === system)
  let untilMs = nowMs
  // Each of them can move the end once a day at most; who is never to be told is looked at again after a week.
  for (let round = 0; round < theirs.length * 7; round += 1) {
    const endMs = Math.max(...theirs.map((window) => endOf(window, untilMs) ?? untilMs), untilMs)
    if (endMs === untilMs) break
    untilMs = endMs
  }
  return untilMs === nowMs ? undefined : untilMs
}

/** When the window ends that a moment is in. */
function endOf({ repeats, startMs, endMs }: QuietWindow, atMs: number): number | undefined {
  if (repeats === 'never') return startMs <= atMs && atMs < endMs ? endMs : undefined
  const [start, end] = [timeOfDayMs(startMs), timeOfDayMs(endMs)]
  const lengthMs = (end - start + DAY_MS) % DAY_MS
  const sinceStartMs = (((atMs - start) % DAY_MS) + DAY_MS) % DAY_MS
  return sinceStartMs < lengthMs ? atMs - sinceStartMs + lengthMs : undefined
}

/** Seconds do not count. */
const timeOfDayMs = (atMs: number): number => {
  const timeMs = ((atMs % DAY_MS) + DAY_MS) % DAY_MS
  return timeMs - (timeMs % MINUTE_MS)
}
