import { useState } from 'react'
import { clockNow } from '../format/clock.ts'
import type { ChartWindow } from './chart-drawing.ts'
import { panned } from './panned.ts'
import type { PlotReading } from './plot-reading.ts'

type MovedWindow = Pick<PlotReading, 'onPan' | 'onPinch'> & {
  /** The window as a pointer or two fingers have moved it so far. */
  readonly drawn: ChartWindow
  /** Moves the window at once. */
  readonly pan: (byMs: number) => void
}

/** A chart's window while it is moved. `onZoom` gets the new one when the pointer or the fingers are lifted. */
export function useMovedWindow(window: ChartWindow, onZoom: (window: ChartWindow) => void): MovedWindow {
  const [pulledMs, setPulled] = useState(0)
  const [pinch, setPinch] = useState<ChartWindow>()
  const pan = (byMs: number) => {
    const moved = panned(window, byMs, clockNow())
    if (moved.fromMs !== window.fromMs) onZoom(moved)
  }
  return {
    drawn: pinch ?? panned(window, pulledMs, clockNow()),
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
