import { useState } from 'react'
import { clockNow } from '../format/clock.ts'
import type { ChartWindow } from './chart-drawing.ts'
import { pannedWindow } from './panned-window.ts'
import type { PlotReading } from './plot-reading.ts'

type MovedWindow = Pick<PlotReading, 'onPan' | 'onPinch'> & {
  /** Time window that the chart shows at this moment, including the effect of a drag or pinch that has not ended yet. */
  readonly drawn: ChartWindow
  /**
   * Shifts the chart's time window by `byMs` ms (negative: to the past), but not past now, and calls `onZoom` with the new window if it has
   * moved.
   */
  readonly pan: (byMs: number) => void
}

/**
 * React hook: follows a drag or pinch of a chart. Returns `drawn`, the time window to draw meanwhile, and the functions that move it. At
 * the end of the gesture it calls `onZoom` with the new window.
 */
export function useMovedWindow(window: ChartWindow, onZoom: (window: ChartWindow) => void): MovedWindow {
  const [pulledMs, setPulled] = useState(0)
  const [pinch, setPinch] = useState<ChartWindow>()
  const pan = (byMs: number) => {
    const moved = pannedWindow(window, byMs, clockNow())
    if (moved.fromMs !== window.fromMs) onZoom(moved)
  }
  return {
    drawn: pinch ?? pannedWindow(window, pulledMs, clockNow()),
    pan,
    onPan: (byMs, isOver) => {
      setPulled(isOver ? 0 : byMs)
      if (isOver) pan(byMs)
    },
    onPinch: (pinched, isOver) => {
      setPinch(isOver ? undefined : pinched)
      if (isOver) onZoom(pinched)
    },
  }
}
