import { formatAmount, type AmountScale } from '../format/bytes.ts'
import type { NumberFormats } from '../format/formats.ts'
import { numberFormat } from '../format/number-format.ts'
import * as words from '../words/messages.js'

/**
 * Vertical axis of a chart: lowest and highest value, and values of its grid lines (`steps`), all in the chart's unit. `scale` has the
 * displayed unit, such as `MB/s`, and the divisor to get to it from the chart's unit.
 */
export type Axis = { readonly lowest: number; readonly highest: number; readonly steps: readonly number[]; readonly scale: AmountScale }

export type Extent = { readonly lowest: number; readonly highest: number }

/**
 * Returns a range of values, given in the chart's unit, as text in the displayed unit of its vertical axis, with the unit once: `3–40 %`.
 */
export function formatSpreadOnAxis({ lowest, highest }: Extent, axis: Pick<Axis, 'scale'>, formats: NumberFormats): string {
  const [low, high] = [formatOnAxis(lowest, axis, formats, false), formatOnAxis(highest, axis, formats, false)]
  const dash = lowest < 0 ? ' – ' : '–'
  return `${axis.scale.unit === '' ? low : low.slice(0, -axis.scale.unit.length).trimEnd()}${dash}${high}`
}

/**
 * Value from which labels of a chart's vertical axis use compact notation, such as `26.2M`: 1,000,000. Only for units without larger units,
 * such as counts.
 */
const SHORT_FROM = 1_000_000

/**
 * Returns the label text of the horizontal grid line at the value `step`. When the axis reaches 1,000,000 in a unit without larger ones,
 * such as counts, its labels are compact: `26.2M`. With `isDirection` (mirrored chart, below zero means the other direction), the minus
 * sign is omitted.
 */
export function formatStep(step: number, axis: Axis, formats: NumberFormats, isDirection: boolean): string {
  const { unit, divisor } = axis.scale
  if (divisor !== 1 || Math.max(axis.highest, -axis.lowest) < SHORT_FROM) return formatOnAxis(step, axis, formats, isDirection)
  const number = numberFormat(formats.locale, { notation: 'compact', maximumFractionDigits: 1 }).format(isDirection ? Math.abs(step) : step)
  return unit === '' ? number : words.with_unit({ number, unit })
}

/**
 * Returns a value, given in the chart's unit, as text in the displayed unit of its vertical axis, such as `1.4 MB/s`. With `isDirection`
 * (mirrored chart, below zero means the other direction), the minus sign is omitted.
 */
export function formatOnAxis(value: number, { scale }: Pick<Axis, 'scale'>, formats: NumberFormats, isDirection = true): string {
  const shown = (isDirection ? Math.abs(value) : value) / scale.divisor
  // Percentages are rounded to one decimal; more would be noise.
  const number = formatAmount(scale.unit === '%' ? Math.round(shown * 10) / 10 : shown, formats)
  return scale.unit === '' ? number : words.with_unit({ number, unit: scale.unit })
}
