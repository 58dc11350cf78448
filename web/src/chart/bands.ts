import type { Column } from '../format/column.ts'
import type { ChartDrawing, ChartLine } from './chart-drawing.ts'

/** The area between the lowest and the highest values behind one line; `upper` is never below `lower`. */
export type ChartBand = { readonly line: ChartLine; readonly upper: Column; readonly lower: Column }

/** Behind lines that stand on their own: in a stack an extreme has no place, and the areas of several lines mix to mud. */
export function bandsOf({ lines, isStacked }: Pick<ChartDrawing, 'lines' | 'isStacked'>): readonly ChartBand[] {
  if (isStacked) return []
  return lines.flatMap((line) => {
    const { extremes, below = false } = line
    if (extremes === undefined || lines.some((other) => other !== line && (other.below ?? false) === below)) return []
    return [below ? { line, upper: turned(extremes.minimum), lower: turned(extremes.maximum) } : upright(line, extremes)]
  })
}

const upright = (line: ChartLine, { minimum, maximum }: { minimum: Column; maximum: Column }): ChartBand => ({
  line,
  upper: maximum,
  lower: minimum,
})

const turned = (values: Column): Column => values.map((value) => (value === null ? null : -value))
