import type { Column, Extremes } from '../format/column.ts'
import type { Formats } from '../format/formats.ts'
import type { LineStyle } from './patterns.ts'

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
