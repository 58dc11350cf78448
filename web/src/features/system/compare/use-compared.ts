import { useQueries } from '@tanstack/react-query'
import { keys } from '../../../api/keys.ts'
import { serverQuery } from '../../../api/server-query.ts'
import type { SeriesFrame } from '../../../chart/series-frame.ts'
import { fetchWindow, HISTORY_POINTS, MINUTE_MS, spanKey, type ChartSpan } from '../../../api/stats.ts'
import type { ChartWindow } from '../../../chart/chart-drawing.ts'
import { clockNow } from '../../../format/clock.ts'
import { earlierWindow } from './earlier-parts.ts'
import type { Metric } from './metrics.ts'

/** A history to read: of one system, at the same hours by the clock as the span, so many days earlier. */
export type Wanted = { readonly systemId: string; readonly days: number }

export type ComparedFrames = {
  /** One for each that was wanted; `undefined` while it is read, and when that failed. */
  readonly frames: readonly (SeriesFrame | undefined)[]
  readonly isLoading: boolean
  /** The first failure. */
  readonly error: Error | undefined
  readonly retry: () => void
}

/** The histories of several systems over one span. A preset range is read again as time passes. */
export function useCompared(wanted: readonly Wanted[], metric: Metric, span: ChartSpan, timeZone: string | undefined): ComparedFrames {
  return useQueries({
    queries: wanted.map((one) => comparedQuery(one, metric, span, timeZone)),
    combine: (results) => ({
      frames: results.map(({ data }) => data),
      isLoading: results.some(({ isPending }) => isPending),
      error: results.find(({ isError, data }) => isError && data === undefined)?.error ?? undefined,
      retry: () => results.filter(({ isError }) => isError).forEach(({ refetch }) => void refetch()),
    }),
  })
}

/** Points of a line in a preset range: no more are read again than it needs. */
const RENEWED_POINTS = 720

const comparedQuery = ({ systemId, days }: Wanted, { keys: series }: Metric, span: ChartSpan, timeZone: string | undefined) =>
  serverQuery(
    keys.compared(systemId, { series, days, timeZone, span: spanKey(span) }),
    (signal) => {
      const drawn = windowOf(span)
      const window = days === 0 ? drawn : earlierWindow(drawn, days, timeZone)
      // A window that is an hour longer, because the clocks were put back, has the same resolution.
      const points = Math.ceil((HISTORY_POINTS * lengthOf(window)) / lengthOf(drawn))
      return fetchWindow({ systemId, kind: 'system', window, points, series }, signal)
    },
    span.kind === 'window'
      ? { staleTime: Number.POSITIVE_INFINITY }
      : { refetchInterval: Math.max(MINUTE_MS, span.range.spanMs / RENEWED_POINTS) },
  )

/** A preset range ends now. */
function windowOf(span: ChartSpan): ChartWindow {
  if (span.kind === 'window') return span.window
  const toMs = clockNow()
  return { fromMs: toMs - span.range.spanMs, toMs }
}

const lengthOf = ({ fromMs, toMs }: ChartWindow): number => toMs - fromMs
