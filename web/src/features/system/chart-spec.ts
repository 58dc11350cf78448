import type { SeriesFrame } from '../../chart/series-frame.ts'
import type { ChartDrawing } from '../../chart/chart-drawing.ts'

/** Data of a chart card: that of the chart, and `headline`, the large latest value in the unit of the lines. */
export type CardDrawing = ChartDrawing & { readonly headline: number | undefined }

/**
 * Name of a chart's data source on the agent's side, such as `memory`. It selects the note below the chart's table and the events that the
 * chart marks.
 */
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

/** Definition of a chart: its texts, its data source, and the function that builds its data from a set of time series. */
export type ChartSpec = {
  readonly title: () => string
  readonly description: () => string
  readonly source: Source
  readonly draw: (frame: SeriesFrame) => CardDrawing
}
