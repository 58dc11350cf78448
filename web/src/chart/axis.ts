import { bitScale, byteScale, formatAmount, type AmountScale } from '../format/bytes.ts'
import type { NumberFormats } from '../format/formats.ts'
import { numberFormat } from '../format/number-format.ts'
import type { ChartDrawing, ChartUnit } from './chart-drawing.ts'
import type { Extent } from './plot-columns.ts'
import * as words from '../words/messages.js'

/** The vertical axis: its ends, its steps, and how every value of the chart is written. */
export type Axis = { readonly lowest: number; readonly highest: number; readonly steps: readonly number[]; readonly scale: AmountScale }

const TARGET_STEPS = 4
/** Sums of fractions miss a round number by less than this share of a step. */
const TOLERANCE = 1e-9

/** The least an axis spans, so that a quiet system is drawn as quiet. */
const leastSpans: Readonly<Record<ChartUnit, number>> = {
  percent: 1,
  bytes: 1024,
  bytesPerSecond: 1024,
  bitsPerSecond: 1000,
  celsius: 10,
  fahrenheit: 20,
  rpm: 100,
  watts: 1,
  milliseconds: 1,
  load: 0.1,
}

/** How units are written that have no scales; a load average is a number of tasks. */
const plainUnits: Readonly<Partial<Record<ChartUnit, string>>> = {
  percent: '%',
  celsius: '°C',
  fahrenheit: '°F',
  rpm: 'rpm',
  watts: 'W',
  milliseconds: 'ms',
  load: '',
}

export function axisFor(drawing: Pick<ChartDrawing, 'unit' | 'top' | 'startsAtZero'>, extent: Extent | undefined): Axis {
  const { lowest, highest } = extent ?? { lowest: 0, highest: 0 }
  if (!drawing.startsAtZero) return freeAxis(drawing.unit, lowest, highest)
  return lowest < 0 ? mirroredAxis(drawing.unit, Math.max(highest, -lowest)) : zeroAxis(drawing, highest)
}

/** From zero to a fixed top that means something, or to the next step above the values. */
function zeroAxis({ unit, top }: Pick<ChartDrawing, 'unit' | 'top'>, highestValue: number): Axis {
  const reach = Math.max(highestValue, top ?? leastSpans[unit])
  const step = stepFor(unit, reach, reach)
  const highest = top !== undefined && highestValue <= top ? top : roundUp(reach, step)
  return axis(unit, { lowest: 0, highest }, step)
}

/** Both halves have one scale, so that up and down can be compared. */
function mirroredAxis(unit: ChartUnit, reachBothWays: number): Axis {
  const reach = Math.max(reachBothWays, leastSpans[unit])
  const step = stepFor(unit, 2 * reach, reach)
  const highest = roundUp(reach, step)
  return axis(unit, { lowest: -highest, highest }, step)
}

function freeAxis(unit: ChartUnit, lowest: number, highest: number): Axis {
  const step = stepFor(unit, Math.max(highest - lowest, leastSpans[unit]), highest)
  const bottom = Math.floor(lowest / step) * step
  return axis(unit, { lowest: bottom, highest: Math.max(roundUp(highest, step), bottom + step) }, step)
}

const axis = (unit: ChartUnit, { lowest, highest }: Extent, step: number): Axis => ({
  lowest,
  highest,
  steps: withTop(stepsWithin(lowest, highest, step), highest, step),
  scale: scaleFor(unit, Math.max(highest, -lowest)),
})

/** An end that is no step of its own is told too, where its words have room above the last step's. */
const withTop = (steps: readonly number[], highest: number, step: number): readonly number[] =>
  highest - (steps.at(-1) ?? highest) >= step / 2 ? [...steps, highest] : steps

/** The scale in which values up to `reach` are written. */
export function scaleFor(unit: ChartUnit, reach: number): AmountScale {
  const plain = plainUnits[unit]
  if (plain !== undefined) return { unit: plain, divisor: 1 }
  const { unit: name, divisor } = unit === 'bitsPerSecond' ? bitScale(reach) : byteScale(reach)
  return { unit: unit === 'bytes' ? name : `${name}/s`, divisor }
}

function stepFor(unit: ChartUnit, span: number, reach: number): number {
  const { divisor } = scaleFor(unit, reach)
  return roundStep(span / divisor / TARGET_STEPS, unit === 'bytes') * divisor
}

/** The next step people count in: 1, 2, 2.5 or 5 times a power of ten; amounts of memory and disk double each time. */
function roundStep(atLeast: number, doubles: boolean): number {
  if (doubles && atLeast >= 1) return 2 ** Math.ceil(Math.log2(atLeast))
  const power = 10 ** Math.floor(Math.log10(atLeast))
  return [1, 2, 2.5, 5].map((factor) => factor * power).find((step) => step >= atLeast * (1 - TOLERANCE)) ?? 10 * power
}

const roundUp = (value: number, step: number): number => Math.ceil(value / step - TOLERANCE) * step

function stepsWithin(lowest: number, highest: number, step: number): readonly number[] {
  const first = Math.ceil(lowest / step - TOLERANCE)
  const last = Math.floor(highest / step + TOLERANCE)
  return Array.from({ length: last - first + 1 }, (_, index) => (first + index) * step)
}

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
