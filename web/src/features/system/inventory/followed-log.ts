/** One line of a log. `id` stays the same while the log grows. */
export type LogLine = { readonly id: number; readonly text: string }

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
  const read = text.split('\n').slice(0, isLastOpen ? undefined : -1)
  // The rest of an open line comes with this read.
  const known = before.isLastOpen ? before.lines.slice(0, -1) : before.lines
  const shared = sharedLines(known, read)
  const added = read.slice(shared)
  if (added.length === 0 && !before.isLastOpen) return before
  const last = before.lines.at(-1)
  if (before.isLastOpen && isLastOpen && added.length === 1 && added[0] === last?.text) return before
  const firstId = (known.at(-1)?.id ?? -1) + 1
  const lines = [...known, ...added.map((line, index) => ({ id: firstId + index, text: line }))].slice(-MOST_LINES)
  const isGap = shared === 0 && known.length > 0 && added.length > 0
  return { lines, isLastOpen, gaps: isGap ? new Set([...before.gaps, firstId]) : before.gaps }
}

/** How many of the first lines of a read are the last lines that are known: as many as possible. */
function sharedLines(known: readonly LogLine[], read: readonly string[]): number {
  for (let count = Math.min(known.length, read.length); count > 0; count--) {
    const start = known.length - count
    let index = 0
    while (index < count && known[start + index]?.text === read[index]) index++
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
