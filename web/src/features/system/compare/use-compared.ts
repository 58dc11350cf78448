import { useQueries } from '@tanstack/react-query'
import { serverQuery } from '../../../api/server-query.ts'
import type { SeriesFrame } from '../../../chart/series-frame.ts'
import { fetchWindow, HISTORY_POINTS, MINUTE_MS, spanKey, type ChartSpan } from '../../../api/stats.ts'
import type { ChartWindow } from '../../../chart/chart-drawing.ts'
import { clockNow } from '../../../format/clock.ts'
import { earlierWindow } from './earlier-parts.ts'
import type { Metric } from './metrics.ts'

/**
 * Series that a comparison loads for one line. `days` says how many days before the shown time range they are, at the same time of day; 0
 * for the shown range itself.
 */
export type ComparedHistory = { readonly systemId: string; readonly days: number }

export type ComparedFrames = {
  /**
   * Loaded series of the compared systems, one entry for each line requested by `wanted`, in that order. An entry is `undefined` while it
   * loads and after a failure.
   */
  readonly frames: readonly (SeriesFrame | undefined)[]
  readonly isLoading: boolean
  /** Error of the first of the comparison's requests that failed without earlier data to show; `undefined` when there is none. */
  readonly error: Error | undefined
  readonly retry: () => void
}

/**
 * React hook: loads the series of several systems that a comparison of `metric` needs. `wanted` lists the lines (system, and days before).
 * Returns the series in that order, and the first error. For a preset range, the data are refetched at an interval.
 */
export function useCompared(
  wanted: readonly ComparedHistory[],
  metric: Metric,
  span: ChartSpan,
  timeZone: string | undefined,
): ComparedFrames {
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

/**
 * Divisor, 720, of a preset range's length that gives the interval at which a comparison refetches its data. The interval is at least a
 * minute.
 */
const RENEWED_POINTS = 720

const comparedQuery = ({ systemId, days }: ComparedHistory, { keys: series }: Metric, span: ChartSpan, timeZone: string | undefined) =>
  serverQuery(
    ['compared', systemId, series, days, timeZone, spanKey(span)],
    (signal) => {
      const drawn = windowOf(span)
      const window = days === 0 ? drawn : earlierWindow(drawn, days, timeZone)
      // Scales the points with a window that is longer by a clock change, so that the resolution is the same.
      const points = Math.ceil((HISTORY_POINTS * lengthOf(window)) / lengthOf(drawn))
      return fetchWindow({ systemId, kind: 'system', window, points, series }, signal)
    },
    span.kind === 'window'
      ? { staleTime: Number.POSITIVE_INFINITY }
      : { refetchInterval: Math.max(MINUTE_MS, span.range.spanMs / RENEWED_POINTS) },
  )

/** Returns the time range that the comparison shows, start and end in epoch ms; a preset range ends now. */
function windowOf(span: ChartSpan): ChartWindow {
  if (span.kind === 'window') return span.window
  const toMs = clockNow()
  return { fromMs: toMs - span.range.spanMs, toMs }
}

const lengthOf = ({ fromMs, toMs }: ChartWindow): number => toMs - fromMs
