import { useState } from 'react'
import { clockNow } from '../format/clock.ts'
import type { ChartWindow } from './chart-drawing.ts'
import { panned } from './panned.ts'
import { pinched } from './pinched.ts'
import type { PlotReading } from './standing-plot.ts'

type MovedWindow = Pick<PlotReading, 'onPan' | 'onPinch'> & {
  /** The window as a pointer or two fingers have moved it so far. */
  readonly drawn: ChartWindow
  /** Moves the window at once. */
  readonly pan: (byMs: number) => void
}

/** A chart's window while it is moved. `onZoom` gets the new one when the pointer or the fingers are lifted. */
export function useMovedWindow(window: ChartWindow, onZoom: (window: ChartWindow) => void): MovedWindow {
  const [pulledMs, setPulled] = useState(0)
  /** The window before two fingers came, and now: new data may bring another window meanwhile. */
  const [pinch, setPinch] = useState<{ readonly before: ChartWindow; readonly now: ChartWindow }>()
  const pan = (byMs: number) => {
    const moved = panned(window, byMs, clockNow())
    if (moved.fromMs !== window.fromMs) onZoom(moved)
  }
  return {
    drawn: pinch?.now ?? panned(window, pulledMs, clockNow()),
    pan,
    onPan: (byMs, isOver) => {
      setPulled(isOver ? 0 : byMs)
      if (isOver) pan(byMs)
    },
    onPinch: (from, to, isOver) => {
      const before = pinch?.before ?? window
      const now = pinched(before, from, to, clockNow())
      setPinch(isOver ? undefined : { before, now })
      if (isOver && (now.fromMs !== before.fromMs || now.toMs !== before.toMs)) onZoom(now)
    },
  }
}
