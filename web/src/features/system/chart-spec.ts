import type { SeriesFrame } from '../../chart/series-frame.ts'
import type { ChartDrawing } from '../../chart/chart-drawing.ts'

/** A chart's lines and the number that stands large on its card: the latest value, in the unit of the lines. */
export type CardDrawing = ChartDrawing & { readonly headline: number | undefined }

/** The agent's data source of a chart. */
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

/** How one of the charts is called and drawn. */
export type ChartSpec = {
  readonly title: () => string
  readonly description: () => string
  readonly source: Source
  readonly draw: (frame: SeriesFrame) => CardDrawing
}
