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
  return isUnchanged(before, added, isLastOpen) ? before : withLines(before, { known, added, isLastOpen, isGap: shared === 0 })
}

function isUnchanged({ lines, isLastOpen: wasOpen }: FollowedLog, added: readonly string[], isLastOpen: boolean): boolean {
  if (!wasOpen) return added.length === 0
  return isLastOpen && added.length === 1 && added[0] === lines.at(-1)?.text
}

type NewLines = {
  readonly known: readonly LogLine[]
  readonly added: readonly string[]
  readonly isLastOpen: boolean
  readonly isGap: boolean
}

function withLines({ gaps }: FollowedLog, { known, added, isLastOpen, isGap }: NewLines): FollowedLog {
  const last = known.at(-1)
  const firstId = last === undefined ? 0 : last.id + 1
  const lines = [...known, ...added.map((text, index) => ({ id: firstId + index, text }))].slice(-MOST_LINES)
  return { lines, isLastOpen, gaps: isGap && last !== undefined ? new Set([...gaps, firstId]) : gaps }
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
