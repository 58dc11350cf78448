import type { ChartWindow } from './chart-drawing.ts'

/**
 * Returns a chart's time window shifted by `byMs` ms (negative: to the past), with the same length. It does not start before 1970 or end
 * after `nowMs` (epoch ms), unless it ended later before.
 */
export function pannedWindow({ fromMs, toMs }: ChartWindow, byMs: number, nowMs: number): ChartWindow {
  const latest = Math.max(toMs, nowMs)
  const by = Math.round(Math.max(-fromMs, Math.min(byMs, latest - toMs)))
  return { fromMs: fromMs + by, toMs: toMs + by }
}
