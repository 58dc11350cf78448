import { BITS_PER_BYTE } from '../format/bytes.ts'
import type { Column, Extremes } from '../format/column.ts'
import type { Formats } from '../format/formats.ts'
import { fahrenheitOf } from '../format/temperature.ts'
import { PATTERN_COUNT, type LineStyle } from './patterns.ts'

export type ChartUnit =
  | 'percent'
  | 'bytes'
  | 'bytesPerSecond'
  | 'bitsPerSecond'
  | 'celsius'
  | 'fahrenheit'
  | 'rpm'
  | 'watts'
  | 'milliseconds'
  | 'load'
  | 'count'

/** One line of a chart. `below` draws it downwards from zero. */
export type ChartLine = {
  readonly key: string
  readonly label: string
  /** The name of a colour token such as `--series-1`. */
  readonly colour: string
  /** Plain and without an area when absent. */
  readonly style?: LineStyle
  readonly values: Column
  readonly below?: boolean
  /** How far the values reached that each of `values` stands for, where it stands for several. */
  readonly extremes?: Extremes
  /** More about a value, told in the tooltip behind it. */
  readonly detailAt?: (index: number, formats: Formats) => string | undefined
}

/** Data of a chart. Times are epoch ms; every line has a value or null for each of them. */
export type ChartDrawing = {
  readonly unit: ChartUnit
  /** Kind of its rates: the settings have a unit for each. */
  readonly flow?: 'network' | 'disk'
  readonly times: readonly number[]
  readonly lines: readonly ChartLine[]
  /** Stacked lines stand on each other; the others each on zero. */
  readonly isStacked: boolean
  /** Where the axis ends when that means something, such as 100 % or the machine's memory. */
  readonly top?: number | undefined
  readonly startsAtZero: boolean
}

export type ChartWindow = { readonly fromMs: number; readonly toMs: number }

type Drawn = Pick<ChartDrawing, 'lines' | 'isStacked' | 'startsAtZero'>

/**
 * Gives each line a pattern of its own, in the order of the lines. Only with more lines than patterns some return, and then lines of one
 * colour still differ as long as there are patterns left. Lines that are hidden or filtered later leave the others as they are.
 */
export function withLineStyles<T extends Drawn>(drawing: T): T {
  const uses = new Map<string, number>()
  const count = (key: string): number => uses.get(key) ?? 0
  const lines = drawing.lines.map((line) => {
    const keyOf = (pattern: number): string => `${line.colour} ${pattern}`
    let pattern = 0
    for (let other = 1; other < PATTERN_COUNT; other++) {
      const more = count(keyOf(pattern)) - count(keyOf(other)) || count(`${pattern}`) - count(`${other}`)
      if (more > 0) pattern = other
    }
    for (const key of [keyOf(pattern), `${pattern}`]) uses.set(key, count(key) + 1)
    return { ...line, style: { pattern, isFilled: isFilled(drawing, line) } }
  })
  return { ...drawing, lines }
}

/** Areas that overlap would mix to colours that no legend has: of several lines on one side of zero only stacked ones have theirs. */
const isFilled = ({ lines, isStacked, startsAtZero }: Drawn, { below = false }: ChartLine): boolean =>
  startsAtZero && (isStacked || lines.filter((line) => (line.below ?? false) === below).length === 1)

type Units = Pick<Formats, 'temperature' | 'network' | 'disk'>

type Conversion = { readonly unit: ChartUnit; readonly convert: (value: number) => number }

function conversionOf({ unit, flow }: Pick<ChartDrawing, 'unit' | 'flow'>, chosen: Units): Conversion | undefined {
  if (unit === 'celsius' && chosen.temperature === 'fahrenheit') return { unit: 'fahrenheit', convert: fahrenheitOf }
  if (unit === 'bytesPerSecond' && flow !== undefined && chosen[flow] === 'bits')
    return { unit: 'bitsPerSecond', convert: (value) => value * BITS_PER_BYTE }
  return undefined
}

/** The same drawing in the units a person chose: the axis steps in them, and every number of it is in them. */
export function inChosenUnits<T extends ChartDrawing & { readonly headline: number | undefined }>(drawing: T, chosen: Units): T {
  const conversion = conversionOf(drawing, chosen)
  if (conversion === undefined) return drawing
  const { unit, convert } = conversion
  const column = (values: Column): Column => values.map((value) => (value === null ? null : convert(value)))
  const lines = drawing.lines.map((line) => ({
    ...line,
    values: column(line.values),
    ...(line.extremes === undefined
      ? {}
      : { extremes: { minimum: column(line.extremes.minimum), maximum: column(line.extremes.maximum) } }),
  }))
  return { ...drawing, unit, lines, headline: drawing.headline === undefined ? undefined : convert(drawing.headline) }
}
