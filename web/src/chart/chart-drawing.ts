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

/**
 * Line of a chart: key, label, colour, and an array with a value or null for each of the chart's times. With `below`, its values are drawn
 * downwards from zero, such as received data below sent.
 */
export type ChartLine = {
  readonly key: string
  readonly label: string
  /** Name of the CSS custom property with the colour of this chart line, such as `--series-1`. */
  readonly colour: string
  /**
   * Style of the line: number of its dash or hatch pattern, and `isFilled`, whether the area below it is filled. Absent: a solid line
   * without an area.
   */
  readonly style?: LineStyle
  readonly values: Column
  readonly below?: boolean
  /** Minimum and maximum behind each point of the line, when its points are averages of several values; absent otherwise. */
  readonly extremes?: Extremes
  /** Function that returns additional text for the value at an index, which a tooltip shows after the value; `undefined` for none. */
  readonly detailAt?: (index: number, formats: Formats) => string | undefined
}

/** Data of a chart: a list of times in epoch ms, and lines, each with a value or null for each time. */
export type ChartDrawing = {
  readonly unit: ChartUnit
  /**
   * Set for a chart of byte rates: `network` or `disk`, for each of which the user's settings choose bytes or bits. Absent for other
   * charts.
   */
  readonly flow?: 'network' | 'disk'
  readonly times: readonly number[]
  readonly lines: readonly ChartLine[]
  /** True when the chart is stacked: each line is drawn on top of the line before, so that the upper edge is the sum. */
  readonly isStacked: boolean
  /**
   * Value at the upper end of the chart's vertical axis, in the chart's unit, such as 100 for percent or the machine's memory in bytes.
   * Higher values extend the axis. Absent: the axis ends above the highest value.
   */
  readonly top?: number | undefined
  readonly startsAtZero: boolean
}

export type ChartWindow = { readonly fromMs: number; readonly toMs: number }

type Drawn = Pick<ChartDrawing, 'lines' | 'isStacked' | 'startsAtZero'>

/**
 * Returns a copy of a chart's data in which each line has a dash or hatch pattern. In order, each line gets the pattern that lines of its
 * colour use least, then the one that all lines use least.
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

/**
 * Returns true when the line gets a filled area: in a stack, or when it is the only line on its side of zero. False in a chart whose axis
 * does not start at zero.
 */
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

/**
 * Returns a chart's data in the units of the user's settings: °F instead of °C, bits per second instead of bytes. The lines' values, their
 * extremes, the headline and the upper end of the axis (`top`) are converted. If nothing changes, the same object is returned.
 */
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
  const converted = (value: number | undefined) => (value === undefined ? undefined : convert(value))
  return { ...drawing, unit, lines, headline: converted(drawing.headline), top: converted(drawing.top) }
}
