import { formatOnAxis, formatSpreadOnAxis, type Axis } from './axis.ts'
import type { NumberFormats } from '../format/formats.ts'
import type { ChartDrawing, ChartLine } from './chart-drawing.ts'

export type TooltipRow = { readonly line: ChartLine; readonly value: number }

/**
 * Returns the list of rows of a chart's tooltip at the index `index` of its times: each line with its value, highest value first. Lines
 * without a value there are left out.
 */
export function tooltipRows(lines: readonly ChartLine[], index: number): readonly TooltipRow[] {
  return lines
    .flatMap((line) => {
      const value = line.values[index]
      return value === null || value === undefined ? [] : [{ line, value }]
    })
    .toSorted((a, b) => b.value - a.value)
}

/**
 * Returns the range of the values behind an averaged point as text, such as `3–40 %`; `undefined` when it reads the same as the average or
 * is unknown.
 */
export function spreadText(
  { values, extremes }: ChartLine,
  index: number,
  axis: Pick<Axis, 'scale'>,
  formats: NumberFormats,
): string | undefined {
  const [value, lowest, highest] = [values[index], extremes?.minimum[index], extremes?.maximum[index]]
  if (typeof value !== 'number' || typeof lowest !== 'number' || typeof highest !== 'number') return undefined
  const told = [value, lowest, highest].map((one) => formatOnAxis(one, axis, formats, false))
  return new Set(told).size === 1 ? undefined : formatSpreadOnAxis({ lowest, highest }, axis, formats)
}

/**
 * Returns the sum of all lines of a stacked chart at one index of its times, for the tooltip; `undefined` when the chart is not stacked,
 * has one line, or no line has a value there.
 */
export function totalAt({ isStacked, lines }: Pick<ChartDrawing, 'isStacked' | 'lines'>, index: number): number | undefined {
  if (!isStacked || lines.length < 2) return undefined
  const rows = tooltipRows(lines, index)
  return rows.length === 0 ? undefined : rows.reduce((sum, { value }) => sum + value, 0)
}

/** Returns the last index, below `length`, at which any line of a chart has a value; `undefined` when there is none. */
export function lastIndexOf(lines: readonly Pick<ChartLine, 'values'>[], length: number): number | undefined {
  for (let index = length - 1; index >= 0; index--) {
    if (lines.some(({ values }) => values[index] !== null && values[index] !== undefined)) return index
  }
  return undefined
}
