/** One line of a log. `id` stays the same while the log grows. */
export type LogLine = {
  readonly id: number
  readonly text: string
  /** When it was written, as the container engine wrote it: RFC 3339 with nanoseconds. Absent from other agents than ours. */
  readonly time: string | undefined
}

/** The lines of a log that is read again and again, oldest first. */
export type FollowedLog = {
  readonly lines: readonly LogLine[]
  /** The last line had no end yet when it was read. */
  readonly isLastOpen: boolean
  /** Ids of lines before which lines are missing, because more were written between two reads than one read returns. */
  readonly gaps: ReadonlySet<number>
}

/** Older lines are dropped. */
const MOST_LINES = 5_000

const empty: FollowedLog = { lines: [], isLastOpen: false, gaps: new Set() }

/**
 * The log after another read. `text` is the end of the log, and its first lines are usually the last ones of the read before. The same log
 * while nothing is new.
 */
export function followLog(before: FollowedLog = empty, text: string): FollowedLog {
  if (text === '') return before
  const isLastOpen = !text.endsWith('\n')
  const read = withTimes(text.split('\n').slice(0, isLastOpen ? undefined : -1))
  // The rest of an open line comes with this read.
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

/** Docker and Podman write 9 digits after the point. */
const TIME = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{9}(?:Z|[+-]\d\d:\d\d)) /

/** Takes the times off the lines of our agents: there every line has one. */
function withTimes(lines: readonly string[]): readonly ReadLine[] {
  const times = lines.map((line) => TIME.exec(line)?.[1])
  if (times.includes(undefined)) return lines.map((text) => ({ time: undefined, text }))
  return lines.map((line, index) => ({ time: times[index], text: line.slice((times[index] ?? '').length + 1) }))
}

/** The epoch second of the last complete line, from which on the next read has to begin; 0 while that is not known. */
export function lastSecondOf(log: FollowedLog = empty): number {
  const time = log.lines.at(log.isLastOpen ? -2 : -1)?.time
  // Without the fraction: not every browser reads 9 digits.
  const atMs = time === undefined ? Number.NaN : Date.parse(`${time.slice(0, 19)}${time.slice(29)}`)
  return Number.isNaN(atMs) ? 0 : Math.floor(atMs / 1000)
}

/** How many of the first lines of a read are known: up to the time of the last known line, or else as many as are the last known lines. */
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

/** A part of a line that matches a search, in UTF-16 units. */
export type LogMatch = { readonly line: LogLine; readonly start: number; readonly end: number }

/** Where the words of a search stand, in any case, from the first line on. None for an empty search. */
export function matchesIn(lines: readonly LogLine[], search: string): readonly LogMatch[] {
  if (search === '') return []
  const pattern = new RegExp(search.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`), 'giu')
  return lines.flatMap((line) =>
    [...line.text.matchAll(pattern)].map(({ index, 0: { length } }) => ({ line, start: index, end: index + length })),
  )
}
