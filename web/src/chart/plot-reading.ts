import type { Formats } from '../format/formats.ts'
import type { SpanDetail } from '../format/time.ts'
import type { Axis } from './axis.ts'
import type { ChartDrawing, ChartWindow } from './chart-drawing.ts'
import type { Crosshair } from './crosshair.ts'

/**
 * State from which a chart is drawn: data, vertical axis, time window and formats. The chart's uPlot instance reads it at each drawing, so
 * that new data needs no new instance.
 */
export type PlotState = {
  readonly drawing: ChartDrawing
  readonly axis: Axis
  readonly window: ChartWindow
  readonly detail: SpanDetail
  readonly formats: Formats
}

/**
 * State, crosshair and callbacks of a chart, which change with each rendering of its React component. The chart's uPlot instance reads the
 * current ones at each drawing and pointer event.
 */
export type PlotReading = {
  readonly state: PlotState
  readonly crosshair: Crosshair
  readonly onZoom: (window: ChartWindow) => void
  readonly onZoomOut: () => void
  /**
   * Called while the chart is dragged sideways. `byMs` is the shift since the start of the drag in ms; `isOver` is true in the last call.
   */
  readonly onPan: (byMs: number, isOver: boolean) => void
  /**
   * Called while two fingers zoom or move the chart, with the time window to draw now. In the last call `isOver` is true, and `window` is
   * the result.
   */
  readonly onPinch: (window: ChartWindow, isOver: boolean) => void
  /** Returns true while the chart's crosshair is pinned, which a tap or long press does; it then stays after the touch. */
  readonly isPinned: () => boolean
  /**
   * Called when a touch moves the crosshair to `at`, epoch ms; with `undefined` when the touch has ended or removes a pinned crosshair.
   * With `isPinned`, the crosshair stays there after the touch.
   */
  readonly onTouch: (at: number | undefined, isPinned: boolean) => void
}
