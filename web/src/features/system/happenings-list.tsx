import { useMemo, useState } from 'react'
import type { ChartMark } from '../../chart/chart-marks.ts'
import { formatTime, formatWindow } from '../../format/time.ts'
import type { Formats } from '../../format/formats.ts'
import { useFormats } from '../../preferences/use-preferences.ts'
import * as words from '../../words/messages.js'

/**
 * Maximum numbers of events in the list below a system's charts: 10 while it is collapsed, 100 when expanded. A time range may have
 * thousands.
 */
const [FIRST_EVENTS, MOST_EVENTS] = [10, 100]

/**
 * React component: list of the events `marks` that the charts of a system's page mark, latest end first, without previews of alert rules.
 * It shows 10 events while collapsed, at most 100 when expanded.
 */
export function HappeningsList({ marks }: { marks: readonly ChartMark[] }) {
  const formats = useFormats()
  const [isOpen, setOpen] = useState(false)
  const events = useMemo(() => newestFirst(marks), [marks])
  if (events.length === 0) return null
  const folded = events.length - FIRST_EVENTS
  const older = events.length - MOST_EVENTS
  return (
    <section
      aria-label={words.happenings()}
      className="mt-3.5 flex flex-wrap items-baseline gap-x-4 gap-y-1 text-note text-muted max-sm:flex-col"
    >
      <h2 className="font-semibold">{words.happenings()}</h2>
      <div className="min-w-0 flex-1">
        <ul className="grid grid-cols-[auto_auto_minmax(0,1fr)] gap-x-2 gap-y-1">
          {events.slice(0, isOpen ? MOST_EVENTS : FIRST_EVENTS).map((event) => (
            <li key={`${event.label} ${event.fromMs}`} className="col-span-full grid grid-cols-subgrid items-baseline">
              <span className="size-2 rounded-full" style={{ background: `var(${event.colour})` }} />
              <span className="max-sm:text-small">{timeOf(event, formats)}</span>{' '}
              <span className="wrap-anywhere text-text max-sm:col-start-2 max-sm:col-end-[-1]">{event.label}</span>
            </li>
          ))}
        </ul>
        {isOpen && older > 0 && <p className="mt-1">{words.happenings_older({ count: older })}</p>}
        {folded > 0 && (
          <button
            type="button"
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
            className="mt-1 h-6 rounded-control text-accent underline"
          >
            {isOpen ? words.show_fewer() : words.show_more({ count: folded })}
          </button>
        )}
      </div>
    </section>
  )
}

const newestFirst = (marks: readonly ChartMark[]): readonly ChartMark[] =>
  marks.filter(({ isPreview = false }) => !isPreview).toSorted((a, b) => endOf(b) - endOf(a) || b.fromMs - a.fromMs)

const endOf = ({ fromMs, toMs = fromMs }: ChartMark): number => toMs

/**
 * Returns the time of an event in the list as text. A moment has seconds, because a container may exit many times a minute; a time range
 * has minutes.
 */
const timeOf = ({ fromMs, toMs }: ChartMark, formats: Formats): string =>
  toMs === undefined ? formatTime(fromMs, 'exact', formats) : formatWindow(fromMs, toMs, formats)
