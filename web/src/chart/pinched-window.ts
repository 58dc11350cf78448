import type { ChartWindow } from './chart-drawing.ts'

/** Pair of horizontal positions of two fingers, as fractions of the chart's width from the left, in any order. */
export type Fingers = readonly [number, number]

/**
 * Minimum distance of two fingers as a fraction of the chart's width. A smaller distance counts as this one, as it would zoom without
 * limit.
 */
const LEAST_SPREAD = 0.05
const LEAST_SPAN_MS = 60_000
const MOST_SPAN_MS = 366 * 86_400_000

const spread = ([a, b]: Fingers): number => Math.max(LEAST_SPREAD, Math.abs(a - b))
const middle = ([a, b]: Fingers): number => (a + b) / 2

/**
 * Returns the time window after a pinch: the times under the fingers stay under them. It has 1 minute to 366 days; a window beyond a limit
 * gets no further from it. Its end does not pass `nowMs`.
 */
export function pinchedWindow({ fromMs, toMs }: ChartWindow, before: Fingers, after: Fingers, nowMs: number): ChartWindow {
  const spanMs = toMs - fromMs
  const wantedMs = (spanMs * spread(before)) / spread(after)
  const nextMs = Math.round(Math.max(Math.min(LEAST_SPAN_MS, spanMs), Math.min(wantedMs, Math.max(MOST_SPAN_MS, spanMs))))
  const heldMs = fromMs + middle(before) * spanMs
  const latestMs = Math.max(toMs, nowMs)
  const from = Math.max(0, Math.min(Math.round(heldMs - middle(after) * nextMs), latestMs - nextMs))
  return { fromMs: from, toMs: from + nextMs }
}
