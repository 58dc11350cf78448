import { bitScale, byteScale, type AmountScale } from '../format/bytes.ts'
import type { Column } from '../format/column.ts'
import type { Axis, Extent } from './axis.ts'
import type { ChartDrawing, ChartLine, ChartUnit } from './chart-drawing.ts'

/** Where everything of a drawing is drawn. */
export type DrawingLayout = {
  readonly bands: readonly ChartBand[]
  /** A column for each line. */
  readonly columns: readonly Column[]
  readonly axis: Axis
}

const layouts = new WeakMap<ChartDrawing, DrawingLayout>()

/** Worked out once for a drawing: its chart, its legend and its summary all ask. */
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

/** Where each line is drawn: stacked lines on the sum of those before them, lines below zero with their sign turned. */
export function columnsOf({ lines, isStacked, times }: Pick<ChartDrawing, 'lines' | 'isStacked' | 'times'>): readonly Column[] {
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

const upOrDown = ({ values, below }: ChartLine): Column => (below === true ? turned(values) : values)

const turned = (values: Column): Column => values.map((value) => (value === null ? null : -value))

/** The area between the lowest and the highest values behind one line; `upper` is never below `lower`. */
export type ChartBand = { readonly line: ChartLine; readonly upper: Column; readonly lower: Column }

/** Behind lines that stand on their own: in a stack an extreme has no place, and the areas of several lines mix to mud. */
export function bandsOf({ lines, isStacked }: Pick<ChartDrawing, 'lines' | 'isStacked'>): readonly ChartBand[] {
  if (isStacked) return []
  return lines.flatMap((line) => {
    const { extremes, below = false } = line
    if (extremes === undefined || lines.some((other) => other !== line && (other.below ?? false) === below)) return []
    const { minimum, maximum } = extremes
    return [below ? { line, upper: turned(minimum), lower: turned(maximum) } : { line, upper: maximum, lower: minimum }]
  })
}

/** The lowest and highest value in columns; `undefined` when there is none. A plain loop: pages have a hundred thousand values. */
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
  count: 4,
}

/** How units are written that have no scales; a load average is a number of tasks, and a count one of anything. */
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
  return roundStep(span / divisor / TARGET_STEPS, unit) * divisor
}

/** The next step people count in: 1, 2, 2.5 or 5 times a power of ten; amounts of memory and disk double each time, and counts are whole. */
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
