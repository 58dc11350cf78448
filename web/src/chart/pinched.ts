import type { ChartWindow } from './chart-drawing.ts'

/** Where two fingers are, as shares of the width of a chart, in any order. */
export type Fingers = readonly [number, number]

/** Fingers are taken to be at least so far apart, as a share of the width: closer ones would zoom without end. */
const LEAST_SPREAD = 0.05
const LEAST_SPAN_MS = 60_000
const MOST_SPAN_MS = 366 * 86_400_000

const spread = ([a, b]: Fingers): number => Math.max(LEAST_SPREAD, Math.abs(a - b))
const middle = ([a, b]: Fingers): number => (a + b) / 2

/**
 * The window after two fingers moved on a chart: the times below them stay below them, as far as the window stays between a minute and a
 * year long (or as it was) and goes neither past now nor before all time.
 */
export function pinched({ fromMs, toMs }: ChartWindow, before: Fingers, after: Fingers, nowMs: number): ChartWindow {
  const spanMs = toMs - fromMs
  const wantedMs = (spanMs * spread(before)) / spread(after)
  const nextMs = Math.round(Math.max(Math.min(LEAST_SPAN_MS, spanMs), Math.min(wantedMs, Math.max(MOST_SPAN_MS, spanMs))))
  const heldMs = fromMs + middle(before) * spanMs
  const latestMs = Math.max(toMs, nowMs)
  const from = Math.max(0, Math.min(Math.round(heldMs - middle(after) * nextMs), latestMs - nextMs))
  return { fromMs: from, toMs: from + nextMs }
}
