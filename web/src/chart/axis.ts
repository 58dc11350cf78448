import { byteScale, formatAmount, type ByteScale } from '../format/bytes.ts'
import type { ChartDrawing, ChartUnit } from './chart-drawing.ts'
import type { Extent } from './plot-columns.ts'

/** The vertical axis: its ends, its steps, and how every value of the chart is written. */
export type Axis = { readonly lowest: number; readonly highest: number; readonly steps: readonly number[]; readonly scale: ByteScale }

const TARGET_STEPS = 4

const plainScales: Readonly<Record<'percent' | 'celsius', ByteScale>> = {
  percent: { unit: '%', divisor: 1 },
  celsius: { unit: '°C', divisor: 1 },
}

/** The least an axis spans, so that a quiet system is drawn as quiet. */
const leastTops: Readonly<Record<ChartUnit, number>> = { percent: 1, bytes: 1024, bytesPerSecond: 1024, celsius: 10 }

export function axisFor(
  { unit, top, startsAtZero }: Pick<ChartDrawing, 'unit' | 'top' | 'startsAtZero'>,
  extent: Extent | undefined,
): Axis {
  const highestValue = Math.max(extent?.highest ?? 0, leastTops[unit])
  const lowestValue = startsAtZero ? Math.min(0, extent?.lowest ?? 0) : (extent?.lowest ?? 0)
  const isMirrored = startsAtZero && lowestValue < 0
  // Both halves of a mirrored chart have one scale, so that up and down can be compared.
  const reach = isMirrored ? Math.max(highestValue, -lowestValue) : Math.max(highestValue, top ?? 0)
  const scale = scaleFor(unit, reach)
  const span = isMirrored ? 2 * reach : reach - (startsAtZero ? 0 : lowestValue)
  const step = roundStep(Math.max(span, leastTops[unit]) / scale.divisor / TARGET_STEPS, unit === 'bytes') * scale.divisor
  const highest = top !== undefined && highestValue <= top ? top : Math.ceil(reach / step - 1e-9) * step
  const lowest = isMirrored ? -highest : startsAtZero ? 0 : Math.floor(lowestValue / step) * step
  return { lowest, highest, steps: stepsWithin(lowest, highest, step), scale }
}

const scaleFor = (unit: ChartUnit, reach: number): ByteScale => {
  if (unit === 'percent' || unit === 'celsius') return plainScales[unit]
  const { unit: name, divisor } = byteScale(reach)
  return { unit: unit === 'bytes' ? name : `${name}/s`, divisor }
}

/** The next step people count in: 1, 2 or 5 times a power of ten; amounts of memory and disk double from one to the next. */
function roundStep(atLeast: number, doubles: boolean): number {
  if (doubles && atLeast >= 1) return 2 ** Math.ceil(Math.log2(atLeast))
  const power = 10 ** Math.floor(Math.log10(atLeast))
  return [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= atLeast * 0.999) ?? 10 * power
}

function stepsWithin(lowest: number, highest: number, step: number): readonly number[] {
  const first = Math.ceil(lowest / step - 1e-9)
  const last = Math.floor(highest / step + 1e-9)
  return Array.from({ length: last - first + 1 }, (_, index) => (first + index) * step)
}

/** A value as this axis writes it; below zero is a direction, not a sign. */
export function formatOnAxis(value: number, { scale }: Pick<Axis, 'scale'>, isMirrored = true, locale?: string): string {
  const shown = (isMirrored ? Math.abs(value) : value) / scale.divisor
  return `${formatAmount(shown, locale)} ${scale.unit}`
}
