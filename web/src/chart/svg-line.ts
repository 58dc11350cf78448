import type { Column } from '../format/column.ts'
import { knownRuns } from './series-frame.ts'

/** A drawing from zero at its foot, in units of its SVG. */
export type SvgBox = {
  readonly width: number
  readonly height: number
  /** Times at the left and at the right end. */
  readonly from: number
  readonly to: number
  /** The value at the top; a higher one among those that are drawn takes its place. */
  readonly leastTop: number
  /** Free space above the top and below zero, so that a line there is still seen. */
  readonly above: number
  readonly below: number
}

export type SvgLine = {
  /** Path data (SVG 2, 9.3) of the line, and of the area below it. */
  readonly line: string
  readonly area: string
  /** Where a value stands. */
  readonly y: (value: number) => number
}

/** Half the length of the stroke that stands for a value between two gaps. */
const POINT_REACH = 1.2

/** The line of a column of values, for drawings that are too small or too many for a plot. */
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
