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

/** The sum of stacked values at one time; `undefined` where a sum means nothing. */
export function totalAt({ isStacked, lines }: Pick<ChartDrawing, 'isStacked' | 'lines'>, index: number): number | undefined {
  if (!isStacked || lines.length < 2) return undefined
  const rows = tooltipRows(lines, index)
  return rows.length === 0 ? undefined : rows.reduce((sum, { value }) => sum + value, 0)
}

/** The newest index at which any line has a value. */
export function lastIndexOf(lines: readonly ChartLine[], length: number): number | undefined {
  for (let index = length - 1; index >= 0; index--) {
    if (lines.some(({ values }) => values[index] !== null && values[index] !== undefined)) return index
  }
  return undefined
}
