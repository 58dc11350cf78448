import type { ChartSpan } from '../../api/stats.ts'
import type { ChartWindow } from '../../chart/chart-drawing.ts'
import type { ChartMark } from '../../chart/chart-marks.ts'
import type { Crosshair } from '../../chart/crosshair.ts'

/**
 * Props that all charts of a system page share: time range, crosshair and event marks. `onZoom` is called with a new time window,
 * `onZoomOut` to return to the preset range.
 */
export type PageCharts = {
  readonly span: ChartSpan
  readonly window: ChartWindow
  readonly crosshair: Crosshair
  readonly marks: readonly ChartMark[]
  readonly onZoom: (window: ChartWindow) => void
  readonly onZoomOut: () => void
}
