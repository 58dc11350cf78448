import type { SeriesFrame } from '../../api/series-frame.ts'
import type { StatsKind } from '../../api/stats.ts'
import type { ChartDrawing } from '../../chart/chart-drawing.ts'

/** A chart's lines and the number that stands large on its card: the latest value, in the unit of the lines. */
export type CardDrawing = ChartDrawing & { readonly headline: number | undefined }

/** One of the charts that a system may have. */
export type ChartSpec = {
  readonly id: string
  readonly kind: StatsKind
  readonly title: () => string
  readonly description: () => string
  /** Whether this system has it: a chart whose data the system never sent is not shown. */
  readonly isShown: (frame: SeriesFrame) => boolean
  readonly draw: (frame: SeriesFrame) => CardDrawing
}
