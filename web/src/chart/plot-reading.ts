import type { Formats } from '../format/formats.ts'
import type { SpanDetail } from '../format/time.ts'
import type { Axis } from './axis.ts'
import type { ChartDrawing, ChartWindow } from './chart-drawing.ts'
import type { Crosshair } from './crosshair.ts'

/** State of a chart: data, axis, window and formats. uPlot reads the state at each drawing, so new data needs no new instance. */
export type PlotState = {
  readonly drawing: ChartDrawing
  readonly axis: Axis
  readonly window: ChartWindow
  readonly detail: SpanDetail
  readonly formats: Formats
}

/** State and callbacks of a chart, which its uPlot instance reads at each drawing and pointer event. */
export type PlotReading = {
  readonly state: PlotState
  readonly crosshair: Crosshair
  readonly onZoom: (window: ChartWindow) => void
  readonly onZoomOut: () => void
  /** Called while the chart is dragged. `byMs` is the shift since the start of the drag in ms; `isOver` is true at its end. */
  readonly onPan: (byMs: number, isOver: boolean) => void
  /** Called while two fingers zoom or move the chart, with the resulting time window. `isOver` is true at the end. */
  readonly onPinch: (window: ChartWindow, isOver: boolean) => void
  /** Returns true when the crosshair stays at the position that touch has set. */
  readonly isPinned: () => boolean
  /** Called when touch moves the crosshair to `at`, epoch ms; `undefined` = touch ended. With `isPinned`, the crosshair stays there. */
  readonly onTouch: (at: number | undefined, isPinned: boolean) => void
}
