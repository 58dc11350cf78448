import type { ChartDrawing, ChartUnit } from '../../chart/chart-drawing.ts'
import { textCell } from '../../format/csv.ts'

/** In ASCII, for programs that guess at encodings. A load average has no unit. */
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
 * The numbers of a chart as CSV (RFC 4180), oldest first: times in UTC as ISO 8601 says them, numbers with all their digits and
 * in the unit of their heading, nothing where nothing is known. Times at which nothing at all is known are left out.
 * A line that has extremes brings a column for each.
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

/** `gauge`, `Total CPU Usage` → `gauge-Total-CPU-Usage.csv`: a name that every file system takes, whatever the system is called. */
export const csvFileName = (system: string, title: string): string =>
  `${[nameable(system), nameable(title)].filter((part) => part !== '').join('-')}.csv`

/** Letters, numbers and little else, at most 60 of them: no separators, no hidden files, no more than 255 bytes. */
const nameable = (text: string): string =>
  /^.{0,60}/u.exec(text.replaceAll(/[^\p{L}\p{M}\p{N}._-]+/gu, '-').replace(/^[-.]+/, ''))?.[0].replace(/[-.]+$/, '') ?? ''
