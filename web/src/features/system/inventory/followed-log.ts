/** One line of a container log. Its `id` is a number that stays the same while the log grows. */
export type LogLine = {
  readonly id: number
  readonly text: string
  /**
   * Time at which the container wrote the line: RFC 3339 with nanoseconds, from Docker or Podman. `undefined` from agents of other
   * projects, which send no times.
   */
  readonly time: string | undefined
}

/** State of a container log that is polled: its lines, oldest first, and the positions where lines were missed. */
export type FollowedLog = {
  readonly lines: readonly LogLine[]
  /** True when the log's last line had no line break at the last poll, so the next poll may extend the line. */
  readonly isLastOpen: boolean
  /**
   * Set of the ids of log lines before which lines may be missing. The response that brought such a line shared no line with the log so
   * far.
   */
  readonly gaps: ReadonlySet<number>
}

/** Maximum number of lines, 5,000, of one container log in memory; older ones are dropped. */
const MOST_LINES = 5_000

const empty: FollowedLog = { lines: [], isLastOpen: false, gaps: new Set() }

/**
 * Returns the state of a followed container log after one more poll. `before` is the state so far; `text` is the response with the newest
 * lines, some of which may be known already. Returns `before` itself when nothing is new.
 */
export function followLog(before: FollowedLog = empty, text: string): FollowedLog {
  if (text === '') return before
  const isLastOpen = !text.endsWith('\n')
  const read = withTimes(text.split('\n').slice(0, isLastOpen ? undefined : -1))
  // This response contains the whole of the unfinished line.
  const known = before.isLastOpen ? before.lines.slice(0, -1) : before.lines
  const shared = sharedLines(known, read)
  const added = read.slice(shared)
  return isUnchanged(before, added, isLastOpen) ? before : withLines(before, { known, added, isLastOpen, isGap: shared === 0 })
}

function isUnchanged({ lines, isLastOpen: wasOpen }: FollowedLog, added: readonly ReadLine[], isLastOpen: boolean): boolean {
  if (!wasOpen) return added.length === 0
  return isLastOpen && added.length === 1 && added[0]?.text === lines.at(-1)?.text
}

type NewLines = {
  readonly known: readonly LogLine[]
  readonly added: readonly ReadLine[]
  readonly isLastOpen: boolean
  readonly isGap: boolean
}

function withLines({ gaps }: FollowedLog, { known, added, isLastOpen, isGap }: NewLines): FollowedLog {
  const last = known.at(-1)
  const firstId = last === undefined ? 0 : last.id + 1
  const lines = [...known, ...added.map((line, index) => ({ id: firstId + index, ...line }))].slice(-MOST_LINES)
  return { lines, isLastOpen, gaps: isGap && last !== undefined ? new Set([...gaps, firstId]) : gaps }
}

type ReadLine = Omit<LogLine, 'id'>

/**
 * Regular expression that matches the time, with the space after it, at the start of a container's log line. Docker and Podman write 9
 * decimal digits.
 */
const TIME = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{9}(?:Z|[+-]\d\d:\d\d)) /

/**
 * Splits the time off the start of each log line and returns a list with text and time of each. If one line has no time (agents of other
 * projects), all lines are returned whole, with `time` undefined.
 */
function withTimes(lines: readonly string[]): readonly ReadLine[] {
  const times = lines.map((line) => TIME.exec(line)?.[1])
  if (times.includes(undefined)) return lines.map((text) => ({ time: undefined, text }))
  return lines.map((line, index) => ({ time: times[index], text: line.slice((times[index] ?? '').length + 1) }))
}

/**
 * Returns the time, in epoch seconds, from which the next poll of a container log must request lines. It is that of the last complete line;
 * 0 when unknown.
 */
export function lastSecondOf(log: FollowedLog = empty): number {
  const time = log.lines.at(log.isLastOpen ? -2 : -1)?.time
  // Without the fraction, because not every browser parses 9 digits.
  const atMs = time === undefined ? Number.NaN : Date.parse(`${time.slice(0, 19)}${time.slice(29)}`)
  return Number.isNaN(atMs) ? 0 : Math.floor(atMs / 1000)
}

/**
 * Returns how many lines at the start of `read`, the response of a poll, are already in `known`, the container log so far. The last known
 * line is found in the response by its time or, without times, by comparing texts.
 */
function sharedLines(known: readonly LogLine[], read: readonly ReadLine[]): number {
  const time = known.at(-1)?.time
  return time === undefined || read[0]?.time === undefined
    ? repeatedLines(known, read)
    : read.findLastIndex((line) => line.time === time) + 1
}

function repeatedLines(known: readonly LogLine[], read: readonly ReadLine[]): number {
  for (let count = Math.min(known.length, read.length); count > 0; count--) {
    const start = known.length - count
    let index = 0
    while (index < count && known[start + index]?.text === read[index]?.text) index++
    if (index === count) return count
  }
  return 0
}

/**
 * One match of a search in a log: the line, and the range within its text, as indexes of UTF-16 units: `start` inclusive, `end` exclusive.
 */
export type LogMatch = { readonly line: LogLine; readonly start: number; readonly end: number }

/** Returns all matches of a search text in the lines of a container log, ignoring case, in order; empty for an empty search text. */
export function matchesIn(lines: readonly LogLine[], search: string): readonly LogMatch[] {
  if (search === '') return []
  const pattern = new RegExp(search.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`), 'giu')
  return lines.flatMap((line) =>
    [...line.text.matchAll(pattern)].map(({ index, 0: { length } }) => ({ line, start: index, end: index + length })),
  )
}
