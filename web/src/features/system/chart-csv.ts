import type { ChartDrawing, ChartUnit } from '../../chart/chart-drawing.ts'
import { textCell } from '../../format/csv.ts'

/**
 * Object from a chart's unit to its text in column headings of a CSV file, in ASCII for programs that guess the encoding. Empty string = no
 * unit.
 */
const unitNames: Readonly<Record<ChartUnit, string>> = {
  percent: '%',
  bytes: 'bytes',
  bytesPerSecond: 'bytes/s',
  bitsPerSecond: 'bits/s',
  celsius: 'Celsius',
  fahrenheit: 'Fahrenheit',
  rpm: 'rpm',
  watts: 'W',
  milliseconds: 'ms',
  load: '',
  count: '',
}

/**
 * Returns a chart's data as the text of a CSV file (RFC 4180), oldest first. Times are UTC in ISO 8601, unknown values empty. Rows without
 * any value are omitted.
 */
export function chartCsv({ unit, times, lines }: Pick<ChartDrawing, 'unit' | 'times' | 'lines'>): string {
  const suffix = unitNames[unit] === '' ? '' : ` (${unitNames[unit]})`
  const columns = lines.flatMap(({ label, values, extremes }) => [
    { heading: `${label}${suffix}`, values },
    ...(extremes === undefined
      ? []
      : [
          { heading: `${label} min${suffix}`, values: extremes.minimum },
          { heading: `${label} max${suffix}`, values: extremes.maximum },
        ]),
  ])
  const heading = ['time', ...columns.map((column) => textCell(column.heading))]
  const rows = times.flatMap((at, index) => {
    const cells = columns.map(({ values }) => values[index]?.toString() ?? '')
    return cells.every((cell) => cell === '') ? [] : [[new Date(at).toISOString(), ...cells]]
  })
  return [heading, ...rows].map((cells) => `${cells.join(',')}\r\n`).join('')
}

/**
 * Returns a file name that is valid on every file system, for a CSV export: `gauge-Total-CPU-Usage.csv` for the system `gauge` and the
 * chart `Total CPU Usage`.
 */
export const csvFileName = (system: string, title: string): string =>
  `${[nameable(system), nameable(title)].filter((part) => part !== '').join('-')}.csv`

/**
 * Returns a text changed so that it is valid as part of a file name: at most 60 letters, digits, `.`, `_` and `-`. Other characters become
 * `-`; dots and dashes at the ends are removed.
 */
const nameable = (text: string): string =>
  /^.{0,60}/u.exec(text.replaceAll(/[^\p{L}\p{M}\p{N}._-]+/gu, '-').replace(/^[-.]+/, ''))?.[0].replace(/[-.]+$/, '') ?? ''
