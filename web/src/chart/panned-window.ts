import type { ChartWindow } from './chart-drawing.ts'

/** Returns a time window shifted by `byMs`, at the same length. Its start does not precede the epoch, its end does not pass `nowMs`. */
export function pannedWindow({ fromMs, toMs }: ChartWindow, byMs: number, nowMs: number): ChartWindow {
  const latest = Math.max(toMs, nowMs)
  const by = Math.round(Math.max(-fromMs, Math.min(byMs, latest - toMs)))
  return { fromMs: fromMs + by, toMs: toMs + by }
}
