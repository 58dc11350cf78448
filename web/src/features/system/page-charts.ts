import type { ChartSpan } from '../../api/stats.ts'
import type { ChartWindow } from '../../chart/chart-drawing.ts'
import type { ChartMark } from '../../chart/chart-marks.ts'
import type { Crosshair } from '../../chart/crosshair.ts'

/** Props common to all charts of a system page: time range, crosshair, event marks, `onZoom` and `onZoomOut`. */
export type PageCharts = {
  readonly span: ChartSpan
  readonly window: ChartWindow
  readonly crosshair: Crosshair
  readonly marks: readonly ChartMark[]
  readonly onZoom: (window: ChartWindow) => void
  readonly onZoomOut: () => void
}
