import type uPlot from 'uplot'
import { clockNow } from '../format/clock.ts'
import type { ChartWindow } from './chart-drawing.ts'
import { nearestIndex } from './crosshair.ts'
import { followTouches } from './follow-touches.ts'
import { pinchedWindow } from './pinched-window.ts'
import type { PlotReading } from './plot-reading.ts'

/**
 * Adds listeners for touch and pen to a uPlot instance: one finger moves the crosshair, a tap or long press pins it, two fingers zoom.
 * Returns the function that removes the listeners.
 */
export function followPlotTouches({ over }: uPlot, read: () => PlotReading): () => void {
  const touch = (share: number | undefined, isPinned: boolean) => {
    const { state, crosshair, onTouch } = read()
    const { fromMs, toMs } = state.window
    const index = share === undefined ? undefined : nearestIndex(state.drawing.times, fromMs + share * (toMs - fromMs))
    const at = index === undefined ? undefined : state.drawing.times[index]
    crosshair.move(at)
    onTouch(at, isPinned)
  }
  /**
   * Time window of the chart when the current pinch (two-finger gesture) began, from which the new window is computed; `undefined` without
   * a pinch.
   */
  let before: ChartWindow | undefined
  // The browser scrolls vertically; horizontal moves and pinches stay with the plot.
  over.style.touchAction = 'pan-y'
  const unhold = holdForPen(over, () => read().isPinned())
  const unfollow = followTouches(over, {
    onRead: (share) => touch(share, false),
    onPin: (share, by) => touch(by === 'tap' && read().isPinned() ? undefined : share, true),
    onPinch: (from, to, isOver) => {
      // The fingers were lifted without a move.
      if (isOver && before === undefined) return
      const { state, crosshair, onPinch } = read()
      before ??= state.window
      crosshair.move(undefined)
      onPinch(pinchedWindow(before, from, to, clockNow()), isOver)
      if (isOver) before = undefined
    },
  })
  return () => {
    unhold()
    unfollow()
  }
}

/**
 * Blocks the mouse events that browsers send for a pen hovering over the chart's element `over`, while `isPinned` returns true. Such events
 * would move the pinned crosshair. Returns the function that ends the blocking.
 */
function holdForPen(over: HTMLElement, isPinned: () => boolean): () => void {
  let isPen = false
  const hold = (event: Event) => isPen && isPinned() && event.stopImmediatePropagation()
  const ended = new AbortController()
  // Runs before the plot's own listeners.
  const before = { capture: true, signal: ended.signal }
  over.addEventListener('pointermove', ({ pointerType }) => (isPen = pointerType === 'pen'), before)
  over.addEventListener('mousemove', hold, before)
  over.addEventListener('mouseleave', hold, before)
  return () => ended.abort()
}
