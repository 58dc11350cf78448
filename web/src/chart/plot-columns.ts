import type { Column } from '../format/column.ts'
import type { ChartDrawing, ChartLine } from './chart-drawing.ts'

/** Where each line is drawn: stacked lines on the sum of those before them, lines below zero with their sign turned. */
export function plotColumns({ lines, isStacked, times }: Pick<ChartDrawing, 'lines' | 'isStacked' | 'times'>): readonly Column[] {
  if (!isStacked) return lines.map(upOrDown)
  const sums: (number | null)[] = times.map(() => null)
  // Once for all lines: with thousands of containers that come and go, once for each would take seconds.
  const isKnown = times.map((_, index) => lines.some(({ values }) => values[index] !== null && values[index] !== undefined))
  return lines.map(({ values }) => {
    for (let index = 0; index < sums.length; index++) {
      const value = values[index]
      if (typeof value === 'number') sums[index] = (sums[index] ?? 0) + value
    }
    // A line that has nothing at a time when others do lies on what is below it; where none has anything there is a gap.
    return sums.map((sum, index) => (sum === null && isKnown[index] === true ? 0 : sum))
  })
}

const upOrDown = ({ values, below }: ChartLine): Column =>
  below === true ? values.map((value) => (value === null ? null : -value)) : values

export type Extent = { readonly lowest: number; readonly highest: number }

/** The lowest and highest value in columns; `undefined` when there is none. A plain loop, like those of `trace.ts`. */
export function extentOf(columns: readonly Column[]): Extent | undefined {
  let lowest = Number.POSITIVE_INFINITY
  let highest = Number.NEGATIVE_INFINITY
  for (const column of columns) {
    for (let index = 0; index < column.length; index++) {
      const value = column[index] ?? null
      if (value === null) continue
      if (value < lowest) lowest = value
      if (value > highest) highest = value
    }
  }
  return lowest <= highest ? { lowest, highest } : undefined
}
