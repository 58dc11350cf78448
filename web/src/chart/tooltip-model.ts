import { formatOnAxis, formatSpreadOnAxis, type Axis } from './axis.ts'
import type { NumberFormats } from '../format/formats.ts'
import type { ChartDrawing, ChartLine } from './chart-drawing.ts'

export type TooltipRow = { readonly line: ChartLine; readonly value: number }

/** The values at one time, highest first; lines without one are left out. */
export function tooltipRows(lines: readonly ChartLine[], index: number): readonly TooltipRow[] {
  return lines
    .flatMap((line) => {
      const value = line.values[index]
      return value === null || value === undefined ? [] : [{ line, value }]
    })
    .toSorted((a, b) => b.value - a.value)
}

/** Between which values a point's own lay, as `3–40 %`; `undefined` where that says no more than the value. */
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

/** The sum of stacked values at one time; `undefined` where a sum means nothing. */
export function totalAt({ isStacked, lines }: Pick<ChartDrawing, 'isStacked' | 'lines'>, index: number): number | undefined {
  if (!isStacked || lines.length < 2) return undefined
  const rows = tooltipRows(lines, index)
  return rows.length === 0 ? undefined : rows.reduce((sum, { value }) => sum + value, 0)
}

/** The newest index at which any line has a value. */
export function lastIndexOf(lines: readonly Pick<ChartLine, 'values'>[], length: number): number | undefined {
  for (let index = length - 1; index >= 0; index--) {
    if (lines.some(({ values }) => values[index] !== null && values[index] !== undefined)) return index
  }
  return undefined
}
