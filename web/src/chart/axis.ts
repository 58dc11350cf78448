import { formatAmount, type AmountScale } from '../format/bytes.ts'
import type { NumberFormats } from '../format/formats.ts'
import { numberFormat } from '../format/number-format.ts'
import * as words from '../words/messages.js'

/** The vertical axis: its ends, its steps, and how every value of the chart is written. */
export type Axis = { readonly lowest: number; readonly highest: number; readonly steps: readonly number[]; readonly scale: AmountScale }

export type Extent = { readonly lowest: number; readonly highest: number }

/** Two values as this axis writes them, with one unit: `3–40 %`. */
export function formatSpreadOnAxis({ lowest, highest }: Extent, axis: Pick<Axis, 'scale'>, formats: NumberFormats): string {
  const [low, high] = [formatOnAxis(lowest, axis, formats, false), formatOnAxis(highest, axis, formats, false)]
  const dash = lowest < 0 ? ' – ' : '–'
  return `${axis.scale.unit === '' ? low : low.slice(0, -axis.scale.unit.length).trimEnd()}${dash}${high}`
}

/** From here on a label of an axis without scales is written short: `26.2M` for 26,214,400. */
const SHORT_FROM = 1_000_000

/** The label of a step. Amounts have their scale for large values; a plain number has none. */
export function formatStep(step: number, axis: Axis, formats: NumberFormats, isDirection: boolean): string {
  const { unit, divisor } = axis.scale
  if (divisor !== 1 || Math.max(axis.highest, -axis.lowest) < SHORT_FROM) return formatOnAxis(step, axis, formats, isDirection)
  const number = numberFormat(formats.locale, { notation: 'compact', maximumFractionDigits: 1 }).format(isDirection ? Math.abs(step) : step)
  return unit === '' ? number : words.with_unit({ number, unit })
}

/** A value as this axis writes it. Below zero is a direction where values are mirrored, a sign where they are not. */
export function formatOnAxis(value: number, { scale }: Pick<Axis, 'scale'>, formats: NumberFormats, isDirection = true): string {
  const shown = (isDirection ? Math.abs(value) : value) / scale.divisor
  // Hundredths of a percent are noise.
  const number = formatAmount(scale.unit === '%' ? Math.round(shown * 10) / 10 : shown, formats)
  return scale.unit === '' ? number : words.with_unit({ number, unit: scale.unit })
}
