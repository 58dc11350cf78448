import { bitScale, byteScale, type AmountScale } from '../format/bytes.ts'
import type { Column } from '../format/column.ts'
import type { Axis, Extent } from './axis.ts'
import type { ChartDrawing, ChartLine, ChartUnit } from './chart-drawing.ts'

/**
 * Computed geometry of a chart: `columns` (values to plot for each line), `bands` (areas between minimum and maximum), and `axis` (vertical
 * axis).
 */
export type DrawingLayout = {
  readonly bands: readonly ChartBand[]
  /**
   * Values that the chart plots, one array for each line in the lines' order. Stacked lines have running sums, lines drawn below zero
   * negative values.
   */
  readonly columns: readonly Column[]
  readonly axis: Axis
}

const layouts = new WeakMap<ChartDrawing, DrawingLayout>()

/**
 * Returns the geometry of a chart from its data `drawing`: `columns` (values to plot), `bands` (areas between minimum and maximum) and
 * `axis` (vertical axis). Computed once for each `drawing` object, then cached.
 */
export function layoutOf(drawing: ChartDrawing): DrawingLayout {
  const known = layouts.get(drawing)
  if (known !== undefined) return known
  const bands = bandsOf(drawing)
  const columns = columnsOf(drawing)
  const extent = extentOf([...columns, ...bands.flatMap(({ upper, lower }) => [upper, lower])])
  const layout = { bands, columns, axis: axisFor(drawing, extent) }
  layouts.set(drawing, layout)
  return layout
}

/**
 * Returns an array of values to plot for each line: stacked lines as running sums, lines with `below` negated (drawn below zero), other
 * lines unchanged.
 */
export function columnsOf({ lines, isStacked, times }: Pick<ChartDrawing, 'lines' | 'isStacked' | 'times'>): readonly Column[] {
  if (!isStacked) return lines.map(upOrDown)
  const sums: (number | null)[] = times.map(() => null)
  // Computed once for all lines: for thousands of containers, once a line would take seconds.
  const isKnown = times.map((_, index) => lines.some(({ values }) => values[index] !== null && values[index] !== undefined))
  return lines.map(({ values }) => {
    for (let index = 0; index < sums.length; index++) {
      const value = values[index]
      if (typeof value === 'number') sums[index] = (sums[index] ?? 0) + value
    }
    // In a stack, a line without a value lies on the line below it. A time without any value is a gap.
    return sums.map((sum, index) => (sum === null && isKnown[index] === true ? 0 : sum))
  })
}

const upOrDown = ({ values, below }: ChartLine): Column => (below === true ? turned(values) : values)

const turned = (values: Column): Column => values.map((value) => (value === null ? null : -value))

/**
 * Band of a chart: the area between minimum (`lower`) and maximum (`upper`) behind each averaged point of a line, as arrays of values.
 * `upper` is never below `lower`.
 */
export type ChartBand = { readonly line: ChartLine; readonly upper: Column; readonly lower: Column }

/**
 * Returns the bands (areas between minimum and maximum) that a chart draws around its lines. There are none for stacked lines and for
 * several lines on one side of zero, because they would overlap.
 */
export function bandsOf({ lines, isStacked }: Pick<ChartDrawing, 'lines' | 'isStacked'>): readonly ChartBand[] {
  if (isStacked) return []
  return lines.flatMap((line) => {
    const { extremes, below = false } = line
    if (extremes === undefined || lines.some((other) => other !== line && (other.below ?? false) === below)) return []
    const { minimum, maximum } = extremes
    return [below ? { line, upper: turned(minimum), lower: turned(maximum) } : { line, upper: maximum, lower: minimum }]
  })
}

/**
 * Returns the lowest and highest value (`lowest`, `highest`) in several arrays of values; `undefined` when no array has a number. A plain
 * loop, because a page has about 100,000 values.
 */
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

const TARGET_STEPS = 4
/**
 * Tolerance, 1e-9, as a fraction of the distance between grid lines. A value of the vertical axis that is off a grid line by less counts as
 * on it, because floating-point sums have rounding errors.
 */
const TOLERANCE = 1e-9

/**
 * Object from chart unit, such as `percent`, to the minimum span of a vertical axis in that unit. So small changes of an idle system do not
 * fill the chart. A fixed upper end `top` takes precedence.
 */
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
  count: 4,
}

/**
 * Object from chart unit to the text that is displayed for it, such as `%` for `percent`. It has only units without larger units; the text
 * is empty for load averages and counts.
 */
const plainUnits: Readonly<Partial<Record<ChartUnit, string>>> = {
  percent: '%',
  celsius: '°C',
  fahrenheit: '°F',
  rpm: 'rpm',
  watts: 'W',
  milliseconds: 'ms',
  load: '',
  count: '',
}

export function axisFor(drawing: Pick<ChartDrawing, 'unit' | 'top' | 'startsAtZero'>, extent: Extent | undefined): Axis {
  const { lowest, highest } = extent ?? { lowest: 0, highest: 0 }
  if (!drawing.startsAtZero) return freeAxis(drawing.unit, lowest, highest)
  return lowest < 0 ? mirroredAxis(drawing.unit, Math.max(highest, -lowest)) : zeroAxis(drawing, highest)
}

/**
 * Returns a chart's vertical axis from zero to `top`. Without `top`, or for a higher value, it ends at the grid line at or above the
 * highest value. Without `top`, it has at least the unit's minimum span.
 */
function zeroAxis({ unit, top }: Pick<ChartDrawing, 'unit' | 'top'>, highestValue: number): Axis {
  const reach = Math.max(highestValue, top ?? leastSpans[unit])
  const step = stepFor(unit, reach, reach)
  const highest = top !== undefined && highestValue <= top ? top : roundUp(reach, step)
  return axis(unit, { lowest: 0, highest }, step)
}

/**
 * Returns the vertical axis of a mirrored chart, from −`reachBothWays` to +`reachBothWays` rounded up to grid lines, so that both
 * directions have one scale.
 */
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

/**
 * Returns the values at which a chart's vertical axis has grid lines and labels. They are the multiples `steps`, and the axis's upper end
 * `highest` if it is at least half a `step` above the last of them. A closer label would overlap.
 */
const withTop = (steps: readonly number[], highest: number, step: number): readonly number[] =>
  highest - (steps.at(-1) ?? highest) >= step / 2 ? [...steps, highest] : steps

/**
 * Returns the displayed unit and the divisor for a chart's values. `reach` is the largest of them, in the chart's unit: for
 * `bytesPerSecond` and 3,000,000, the unit is `MB/s` and the divisor 1,048,576.
 */
export function scaleFor(unit: ChartUnit, reach: number): AmountScale {
  const plain = plainUnits[unit]
  if (plain !== undefined) return { unit: plain, divisor: 1 }
  const { unit: name, divisor } = unit === 'bitsPerSecond' ? bitScale(reach) : byteScale(reach)
  return { unit: unit === 'bytes' ? name : `${name}/s`, divisor }
}

function stepFor(unit: ChartUnit, span: number, reach: number): number {
  const { divisor } = scaleFor(unit, reach)
  return roundStep(span / divisor / TARGET_STEPS, unit) * divisor
}

/**
 * Returns the smallest round distance between grid lines that is at least `atLeast`, both in the displayed unit, such as MB. Round is 1, 2,
 * 2.5 or 5 times a power of ten; for bytes from 1 on a power of two, for counts a whole number.
 */
function roundStep(atLeast: number, unit: ChartUnit): number {
  if (unit === 'bytes' && atLeast >= 1) return 2 ** Math.ceil(Math.log2(atLeast))
  const power = 10 ** Math.floor(Math.log10(atLeast))
  const steps = [1, 2, 2.5, 5].map((factor) => factor * power)
  return steps.find((step) => step >= atLeast * (1 - TOLERANCE) && (unit !== 'count' || Number.isInteger(step))) ?? 10 * power
}

const roundUp = (value: number, step: number): number => Math.ceil(value / step - TOLERANCE) * step

function stepsWithin(lowest: number, highest: number, step: number): readonly number[] {
  const first = Math.ceil(lowest / step - TOLERANCE)
  const last = Math.floor(highest / step + TOLERANCE)
  return Array.from({ length: last - first + 1 }, (_, index) => (first + index) * step)
}
