import { formatOnAxis } from '../../chart/axis.ts'
import type { ChartMark } from '../../chart/chart-marks.ts'
import type { ChartDrawing } from '../../chart/chart-drawing.ts'
import { layoutOf } from '../../chart/drawing-layout.ts'
import { extentOf } from '../../chart/drawing-layout.ts'
import { lastIndexOf } from '../../chart/tooltip-model.ts'
import type { Formats } from '../../format/formats.ts'
import { formatTime, formatWindow } from '../../format/time.ts'
import * as words from '../../words/messages.js'

/** Maximum number of events in the text summary of a chart for screen readers: 5. The list of events below the charts has more. */
const MOST_MARKS = 5

/**
 * Returns a text that describes a chart for screen readers. It has latest, lowest and highest value of up to 5 lines, and up to 5 events
 * such as restarts.
 */
export function chartSummary(title: string, drawing: ChartDrawing, marks: readonly ChartMark[], formats: Formats): string {
  const { axis } = layoutOf(drawing)
  const write = (value: number) => formatOnAxis(value, axis, formats, drawing.startsAtZero)
  const index = lastIndexOf(drawing.lines, drawing.times.length)
  const lines = drawing.lines.slice(0, 5).flatMap(({ label, values, extremes }) => {
    const extent = extentOf(extremes === undefined ? [values] : [values, extremes.minimum, extremes.maximum])
    const latest = index === undefined ? null : values[index]
    if (extent === undefined) return []
    return words.summary_line({
      label,
      latest: typeof latest === 'number' ? write(latest) : '–',
      lowest: write(extent.lowest),
      highest: write(extent.highest),
    })
  })
  const happened = marks.slice(0, MOST_MARKS).map((mark) => `${mark.label} ${markTime(mark, formats)}.`)
  return [`${title}.`, ...lines, ...happened, words.summary_keys()].join(' ')
}

/** Returns the time of an event on a chart as text: day and time of a moment, or start and end of a time range. */
export const markTime = ({ fromMs, toMs }: ChartMark, formats: Formats): string =>
  toMs === undefined ? formatTime(fromMs, 'dayAndTime', formats) : formatWindow(fromMs, toMs, formats)
