import { axisFor, formatOnAxis } from '../../chart/axis.ts'
import type { ChartDrawing } from '../../chart/chart-drawing.ts'
import { drawnExtent, extentOf } from '../../chart/plot-columns.ts'
import { lastIndexOf } from '../../chart/tooltip-model.ts'
import * as words from '../../words/messages.js'

/** What a chart shows, in words: each line's latest, lowest and highest value. */
export function chartSummary(title: string, drawing: ChartDrawing): string {
  const axis = axisFor(drawing, drawnExtent(drawing))
  const write = (value: number) => formatOnAxis(value, axis, drawing.startsAtZero)
  const lines = drawing.lines.slice(0, 5).flatMap(({ label, values, extremes }) => {
    const extent = extentOf(extremes === undefined ? [values] : [values, extremes.minimum, extremes.maximum])
    const index = lastIndexOf(drawing.lines, drawing.times.length)
    const latest = index === undefined ? null : values[index]
    if (extent === undefined) return []
    return words.summary_line({
      label,
      latest: typeof latest === 'number' ? write(latest) : '–',
      lowest: write(extent.lowest),
      highest: write(extent.highest),
    })
  })
  return `${title}. ${lines.join(' ')} ${words.summary_keys()}`
}
