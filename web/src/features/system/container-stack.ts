import { splitKey } from '@vedette/protocol/metrics/series'
import type { SeriesFrame } from '../../api/series-frame.ts'
import type { ChartLine, ChartUnit } from '../../chart/chart-drawing.ts'
import { formatNetworkRate } from '../../format/bytes.ts'
import type { Column } from '../../format/column.ts'
import type { Formats } from '../../format/formats.ts'
import type { CardDrawing } from './chart-spec.ts'

const seriesColours = 8

/** Containers of a frame by name. */
export const containerNames = (frame: SeriesFrame): readonly string[] =>
  [...new Set([...frame.series.keys()].map((key) => splitKey(key)[0]))].toSorted()

const ranks = new WeakMap<SeriesFrame, readonly string[]>()

/** Containers by how much CPU they used, most first: their rank is their colour, the same in every chart. */
function rankedNames(frame: SeriesFrame): readonly string[] {
  const known = ranks.get(frame)
  if (known !== undefined) return known
  const used = new Map(containerNames(frame).map((name) => [name, sum(frame.series.get(`${name}.cpuPercent`) ?? [])]))
  const ranked = [...used.keys()].toSorted((a, b) => (used.get(b) ?? 0) - (used.get(a) ?? 0))
  ranks.set(frame, ranked)
  return ranked
}

/** One stack of all containers; those that used most stand at the bottom. A container has one colour in every chart. */
export function stackOf(
  frame: SeriesFrame,
  unit: ChartUnit,
  valuesOf: (name: string) => Column,
  detailOf?: (name: string) => ChartLine['detailAt'],
): CardDrawing {
  const lines = rankedNames(frame)
    .map((name, index) => {
      const detailAt = detailOf?.(name)
      const line: ChartLine = { key: name, label: name, colour: `--series-${(index % seriesColours) + 1}`, values: valuesOf(name) }
      return { line: detailAt === undefined ? line : { ...line, detailAt }, total: sum(line.values) }
    })
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

/** The sum of two columns; where one is not known the other stands for both. */
export function addColumns(a: Column, b: Column): Column {
  return a.map((value, index) => {
    const other = b[index] ?? null
    return value === null ? other : value + (other ?? 0)
  })
}

/** `↑ 1.4 MB/s ↓ 200 kB/s`, from bytes per second; the part that is not known is left out. */
export function directions(sent: number | null | undefined, received: number | null | undefined, formats: Formats): string | undefined {
  const parts = [
    ...(typeof sent === 'number' ? [`↑ ${formatNetworkRate(sent, formats)}`] : []),
    ...(typeof received === 'number' ? [`↓ ${formatNetworkRate(received, formats)}`] : []),
  ]
  return parts.length === 0 ? undefined : parts.join(' ')
}

/** The drawing of those containers whose names contain the filter, in any case. */
export function onlyContainers(drawing: CardDrawing, filter: string): CardDrawing {
  const part = filter.trim().toLocaleLowerCase()
  if (part === '') return drawing
  const lines = drawing.lines.filter(({ label }) => label.toLocaleLowerCase().includes(part))
  return { ...drawing, lines, headline: latestSum(lines) }
}
