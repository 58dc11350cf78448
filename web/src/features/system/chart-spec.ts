import type { SeriesFrame } from '../../chart/series-frame.ts'
import type { ChartDrawing } from '../../chart/chart-drawing.ts'

/**
 * Data of a chart's card: lines and times of the chart, and `headline`. That is the latest value, in large type and in the unit of the
 * lines; `undefined` when unknown.
 */
export type CardDrawing = ChartDrawing & { readonly headline: number | undefined }

/**
 * Name of the data source from which an agent reads a chart's values, such as `memory`. It selects the explanation below the chart's table
 * and the events that the chart marks.
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

/**
 * Definition of one chart of a system's page: functions that return its translated title and description, and its data source. `draw`
 * builds the chart's data from loaded series.
 */
export type ChartSpec = {
  readonly title: () => string
  readonly description: () => string
  readonly source: Source
  readonly draw: (frame: SeriesFrame) => CardDrawing
}
