import { splitKey } from '@vedette/protocol/metrics/series'
import type { SeriesFrame } from '../../chart/series-frame.ts'
import { withLineStyles, type ChartLine, type ChartUnit } from '../../chart/chart-drawing.ts'
import { seriesColour } from '../../chart/series-colour.ts'
import { formatNetworkRate } from '../../format/bytes.ts'
import type { Column } from '../../format/column.ts'
import type { Formats } from '../../format/formats.ts'
import type { CardDrawing } from './chart-spec.ts'

/** Returns the sorted list of the names of the containers that have series in the loaded data. */
export const containerNames = (frame: SeriesFrame): readonly string[] =>
  [...new Set([...frame.series.keys()].map((key) => splitKey(key)[0]))].toSorted()

/**
 * Builds the stacked chart of all containers from the values that `valuesOf` returns by container name. The container with the highest sum
 * of values is at the bottom. Colour and pattern follow from the containers' names, so they are equal in all charts of the frame.
 */
export function stackOf(
  frame: SeriesFrame,
  unit: ChartUnit,
  valuesOf: (name: string) => Column,
  detailOf?: (name: string) => ChartLine['detailAt'],
): CardDrawing {
  const named = containerNames(frame).map((name): ChartLine => {
    const detailAt = detailOf?.(name)
    const line = { key: name, label: name, colour: seriesColour(name), values: valuesOf(name) }
    return detailAt === undefined ? line : { ...line, detailAt }
  })
  // Styles are assigned in name order, which does not change with usage.
  const { lines: styled } = withLineStyles({ lines: named, isStacked: true, startsAtZero: true })
  const lines = styled
    .map((line) => ({ line, total: sum(line.values) }))
    .toSorted((a, b) => b.total - a.total)
    .map(({ line }) => line)
  const flow = unit === 'bytesPerSecond' ? ({ flow: 'network' } as const) : {}
  return { unit, ...flow, times: frame.times, lines, isStacked: true, startsAtZero: true, headline: latestSum(lines) }
}

function latestSum(lines: readonly ChartLine[]): number | undefined {
  const latest = lines.flatMap(({ values }) => values.at(-1) ?? [])
  return latest.length === 0 ? undefined : sum(latest)
}

function sum(values: Column): number {
  let total = 0
  for (const value of values) total += value ?? 0
  return total
}

export const noValues = (frame: SeriesFrame): Column => frame.times.map(() => null)

/**
 * Returns the sums of two arrays of values with equal times, time by time. A null counts as 0, unless both are null: then the sum is null.
 */
export function addColumns(a: Column, b: Column): Column {
  return a.map((value, index) => {
    const other = b[index] ?? null
    return value === null ? other : value + (other ?? 0)
  })
}

/**
 * Returns a container's sent (`↑`) and received (`↓`) rates, given in bytes per second, as text: `↑ 1.4 MB/s ↓ 200 kB/s`. An unknown one is
 * left out; `undefined` when both are unknown.
 */
export function directions(sent: number | null | undefined, received: number | null | undefined, formats: Formats): string | undefined {
  const parts = [
    ...(typeof sent === 'number' ? [`↑ ${formatNetworkRate(sent, formats)}`] : []),
    ...(typeof received === 'number' ? [`↓ ${formatNetworkRate(received, formats)}`] : []),
  ]
  return parts.length === 0 ? undefined : parts.join(' ')
}

/**
 * Returns the data of the stacked chart with only those containers whose name contains `filter`, ignoring case. The headline is the sum of
 * their latest values.
 */
export function onlyContainers(drawing: CardDrawing, filter: string): CardDrawing {
  const part = filter.trim().toLocaleLowerCase()
  if (part === '') return drawing
  const lines = drawing.lines.filter(({ label }) => label.toLocaleLowerCase().includes(part))
  return { ...drawing, lines, headline: latestSum(lines) }
}
