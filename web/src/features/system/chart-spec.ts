import type { SeriesFrame } from '../../chart/series-frame.ts'
import type { ChartDrawing } from '../../chart/chart-drawing.ts'

/** Data of a chart card: the drawing, and `headline`, the large latest value in the unit of the lines. */
export type CardDrawing = ChartDrawing & { readonly headline: number | undefined }

/** Data source of a chart on the agent's side. It selects the source note of the table and the marks of the chart. */
export type Source =
  | 'processor'
  | 'memory'
  | 'sensors'
  | 'space'
  | 'drives'
  | 'drive-health'
  | 'network'
  | 'engine'
  | 'load'
  | 'pressure'
  | 'gpu'
  | 'battery'

/** Definition of a chart: its texts, its data source, and the function from a frame to a drawing. */
export type ChartSpec = {
  readonly title: () => string
  readonly description: () => string
  readonly source: Source
  readonly draw: (frame: SeriesFrame) => CardDrawing
}
