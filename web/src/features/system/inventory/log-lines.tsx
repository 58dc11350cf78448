import { memo, useLayoutEffect, useMemo, useRef, type ReactNode } from 'react'
import { cn } from '../../../ui/cn.ts'
import * as words from '../../../words/messages.js'
import type { FollowedLog, LogLine, LogMatch } from './followed-log.ts'

type LogLinesProps = { log: FollowedLog; matches: readonly LogMatch[]; current: LogMatch | undefined }

/**
 * React component: lines of a container's log as plain text. Matches of the search (`matches`) are highlighted, and the match `current` is
 * scrolled into view.
 */
export function LogLines({ log, matches, current }: LogLinesProps) {
  const byLine = useMemo(() => Map.groupBy(matches, ({ line }) => line), [matches])
  return (
    <div className="font-mono text-small wrap-anywhere whitespace-pre-wrap">
      {log.lines.map((line) => (
        <Line
          key={line.id}
          line={line}
          isAfterGap={log.gaps.has(line.id)}
          matches={byLine.get(line)}
          currentStart={current?.line === line ? current.start : undefined}
        />
      ))}
    </div>
  )
}

type LineProps = {
  line: LogLine
  isAfterGap: boolean
  matches: readonly LogMatch[] | undefined
  currentStart: number | undefined
}

/**
 * React component: one line of a container's log with its search matches highlighted. `isAfterGap` marks that lines before it may be
 * missing. Memoized, because a log has thousands of lines and each poll adds a few.
 */
const Line = memo(function Line({ line: { text }, isAfterGap, matches, currentStart }: LineProps) {
  return (
    <>
      {isAfterGap && <p className="my-1 border-t border-dashed border-control-border text-muted">{words.log_gap()}</p>}
      <div className="min-h-[1lh]">{matches === undefined ? text : marked(text, matches, currentStart)}</div>
    </>
  )
}, areSameLines)

/**
 * Comparison of old and new props of a log line for React's `memo`. Returns true when both look the same, so that the line need not be
 * rendered again. Search matches are compared by their ranges.
 */
function areSameLines(before: LineProps, next: LineProps): boolean {
  return (
    before.line === next.line &&
    before.isAfterGap === next.isAfterGap &&
    before.currentStart === next.currentStart &&
    sameMatches(before.matches, next.matches)
  )
}

const sameMatches = (a: readonly LogMatch[] = [], b: readonly LogMatch[] = []): boolean =>
  a.length === b.length && a.every(({ start, end }, index) => start === b[index]?.start && end === b[index]?.end)

function marked(text: string, matches: readonly LogMatch[], currentStart: number | undefined): ReactNode {
  return matches.map(({ start, end }, index) => (
    <span key={start}>
      {text.slice(matches[index - 1]?.end ?? 0, start)}
      <Mark isCurrent={start === currentStart}>{text.slice(start, end)}</Mark>
      {index === matches.length - 1 && text.slice(end)}
    </span>
  ))
}

function Mark({ isCurrent, children }: { isCurrent: boolean; children: string }) {
  const mark = useRef<HTMLElement>(null)
  useLayoutEffect(() => {
    if (isCurrent) mark.current?.scrollIntoView({ block: 'center' })
  }, [isCurrent])
  return (
    <mark
      ref={mark}
      aria-current={isCurrent || undefined}
      className={cn('rounded-xs', isCurrent ? 'bg-accent text-accent-text' : 'bg-track text-text')}
    >
      {children}
    </mark>
  )
}
