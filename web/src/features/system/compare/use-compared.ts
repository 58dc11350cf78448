import { useQueries } from '@tanstack/react-query'
import { keys } from '../../../api/keys.ts'
import { serverQuery } from '../../../api/server-query.ts'
import type { SeriesFrame } from '../../../chart/series-frame.ts'
import { fetchWindow, MINUTE_MS, spanKey, type ChartSpan } from '../../../api/stats.ts'
import type { ChartWindow } from '../../../chart/chart-drawing.ts'
import { clockNow } from '../../../format/clock.ts'
import type { Metric } from './metrics.ts'

/** A history to read: of one system, and how much earlier than the span. */
export type Wanted = { readonly systemId: string; readonly shiftMs: number }

export type ComparedFrames = {
  /** One for each that was wanted; `undefined` while it is read, and when that failed. */
  readonly frames: readonly (SeriesFrame | undefined)[]
  readonly isLoading: boolean
  /** The first failure. */
  readonly error: Error | undefined
  readonly retry: () => void
}

/** The histories of several systems over one span. A preset range is read again as time passes. */
export function useCompared(wanted: readonly Wanted[], metric: Metric, span: ChartSpan): ComparedFrames {
  return useQueries({
    queries: wanted.map((one) => comparedQuery(one, metric, span)),
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

const comparedQuery = ({ systemId, shiftMs }: Wanted, { keys: series }: Metric, span: ChartSpan) =>
  serverQuery(
    keys.compared(systemId, { series, shiftMs, span: spanKey(span) }),
    (signal) => fetchWindow({ systemId, kind: 'system', window: earlier(windowOf(span), shiftMs), series }, signal),
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

const earlier = ({ fromMs, toMs }: ChartWindow, byMs: number): ChartWindow => ({ fromMs: fromMs - byMs, toMs: toMs - byMs })
