import type { Column } from '../format/column.ts'
import { knownRuns } from './series-frame.ts'

/** Size and scale of a small SVG line chart whose value axis starts at zero. Lengths are in SVG user units. */
export type SvgBox = {
  readonly width: number
  readonly height: number
  /** Time at the left edge of the small SVG line chart, in the unit of the data's times, such as epoch ms. */
  readonly from: number
  /** Time at the right edge of the small SVG line chart, in the unit of the data's times, such as epoch ms. */
  readonly to: number
  /**
   * Minimum of the value at the top of the small SVG line chart, such as 100 for percent. If the data have a higher value, that is at the
   * top instead.
   */
  readonly leastTop: number
  /** Free space, in SVG user units, above the highest value of the small SVG line chart, so that a line there is not cut. */
  readonly above: number
  /** Space, in SVG user units, below the value zero of the small SVG chart, so that a line at zero is not cut. */
  readonly below: number
}

export type SvgLine = {
  /** SVG path data (`d`) of the line in a small SVG chart, interrupted at null values. */
  readonly line: string
  /** SVG path data (`d`) of the area between the line and the lower edge of a small SVG chart. */
  readonly area: string
  /**
   * Function that returns the y coordinate of a value in this small SVG chart, in SVG user units. It places a threshold line, for example.
   */
  readonly y: (value: number) => number
}

/**
 * Half the length, in SVG user units, of a short horizontal line in a small SVG chart: 1.2. It represents a value with gaps on both sides.
 */
const POINT_REACH = 1.2

/**
 * Returns the SVG path data of a line and of the area below it, for charts that are too small or too many for uPlot. Null values are gaps
 * in both.
 */
export function svgLine(times: readonly number[], values: Column, box: SvgBox): SvgLine {
  const { width, height, from, to, leastTop, above, below } = box
  const top = values.reduce<number>((most, value) => Math.max(most, value ?? 0), leastTop)
  const x = (index: number) => round((((times[index] ?? from) - from) / (to - from)) * width)
  const y = (value: number) => round(height - below - (Math.max(0, value) / (top || 1)) * (height - above - below))
  let [line, area] = ['', '']
  for (const run of knownRuns(values)) {
    const points = values.slice(run.from, run.to).map((value, index) => `${x(run.from + index)} ${y(value ?? 0)}`)
    line +=
      points.length === 1 ? `M${round(x(run.from) - POINT_REACH)} ${y(values[run.from] ?? 0)}h${2 * POINT_REACH}` : `M${points.join('L')}`
    area += `M${x(run.from)} ${height}L${points.join('L')}V${height}Z`
  }
  return { line, area, y }
}

const round = (value: number): number => Math.round(value * 10) / 10
