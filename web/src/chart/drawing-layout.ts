import { axisFor, type Axis } from './axis.ts'
import { bandsOf, type ChartBand } from './bands.ts'
import type { ChartDrawing } from './chart-drawing.ts'
import type { Column } from '../format/column.ts'
import { extentOf, plotColumns } from './plot-columns.ts'

/** Where everything of a drawing is drawn. */
export type DrawingLayout = {
  readonly bands: readonly ChartBand[]
  /** A column for each line. */
  readonly columns: readonly Column[]
  readonly axis: Axis
}

const layouts = new WeakMap<ChartDrawing, DrawingLayout>()

/** Worked out once for a drawing: its chart, its legend and its summary all ask. */
export function layoutOf(drawing: ChartDrawing): DrawingLayout {
  const known = layouts.get(drawing)
  if (known !== undefined) return known
  const bands = bandsOf(drawing)
  const columns = plotColumns(drawing)
  const extent = extentOf([...columns, ...bands.flatMap(({ upper, lower }) => [upper, lower])])
  const layout = { bands, columns, axis: axisFor(drawing, extent) }
  layouts.set(drawing, layout)
  return layout
}
