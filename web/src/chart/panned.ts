import type { ChartWindow } from './chart-drawing.ts'

/** A window moved by `byMs`, as long as it was: never past now, nor before all time. */
export function panned({ fromMs, toMs }: ChartWindow, byMs: number, nowMs: number): ChartWindow {
  const latest = Math.max(toMs, nowMs)
  const by = Math.round(Math.max(-fromMs, Math.min(byMs, latest - toMs)))
  return { fromMs: fromMs + by, toMs: toMs + by }
}
