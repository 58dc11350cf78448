import type { Formats } from '../format/formats.ts'
import type { SpanDetail } from '../format/time.ts'
import type { Axis } from './axis.ts'
import type { ChartDrawing, ChartWindow } from './chart-drawing.ts'
import type { Crosshair } from './crosshair.ts'

/** Values that a plot reads at each drawing, so that new data needs no new uPlot instance. */
export type PlotState = {
  readonly drawing: ChartDrawing
  readonly axis: Axis
  readonly window: ChartWindow
  readonly detail: SpanDetail
  readonly formats: Formats
}

/** Values that a plot reads at each drawing and pointer event. */
export type PlotReading = {
  readonly state: PlotState
  readonly crosshair: Crosshair
  readonly onZoom: (window: ChartWindow) => void
  readonly onZoomOut: () => void
  /** Milliseconds that the drawing was pulled by so far. */
  readonly onPan: (byMs: number, isOver: boolean) => void
  /** Two fingers have moved the window so far. */
  readonly onPinch: (window: ChartWindow, isOver: boolean) => void
  /** Whether the crosshair stays where it was put by touch. */
  readonly isPinned: () => boolean
  /** The crosshair was moved by touch to `at`, epoch ms, and stays there when `isPinned`; `undefined`: nothing is read by touch any more. */
  readonly onTouch: (at: number | undefined, isPinned: boolean) => void
}
