import type { ChartWindow } from './chart-drawing.ts'

/** Pair of horizontal positions of two fingers, as fractions of the chart's width from the left, in any order. */
export type Fingers = readonly [number, number]

/**
 * Minimum distance of two pinching fingers, as a fraction of the chart's width: 0.05. A smaller one is treated as this one, because it
 * would zoom without limit.
 */
const LEAST_SPREAD = 0.05
const LEAST_SPAN_MS = 60_000
const MOST_SPAN_MS = 366 * 86_400_000

const spread = ([a, b]: Fingers): number => Math.max(LEAST_SPREAD, Math.abs(a - b))
const middle = ([a, b]: Fingers): number => (a + b) / 2

/**
 * Returns a chart's time window after a pinch: the times that were under both fingers at the start (`before`) are under them now (`after`).
 * The result has 1 minute to 366 days, starts after 1969, and ends at `nowMs` at the latest, unless it ended later before. A window outside
 * these lengths may only get nearer to them.
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
