import { unitOf, type SeriesKey, type SeriesUnit, type StoredKind } from '@vedette/protocol/metrics/series'
import type { SystemHistory } from '../model/history.ts'
import type { SeriesColumn } from '../model/stretch.ts'
import { bucketMs, type Tier, type Window } from '../model/tier.ts'

/** What can be asked for together. All but `containers` are parts of what is stored as `system`. */
export type ColumnKind = 'system' | 'containers' | 'disks' | 'interfaces' | 'gpus' | 'sensors'

export const columnKinds = ['system', 'containers', 'disks', 'interfaces', 'gpus', 'sensors'] as const satisfies readonly ColumnKind[]

export const storedKindOf = (kind: ColumnKind): StoredKind => (kind === 'containers' ? 'containers' : 'system')

/** One series over the answer's times; `null` where it is not known. Extremes only where the tier has them. */
export type Column = {
  readonly key: SeriesKey
  readonly unit: SeriesUnit
  readonly kind: ColumnKind
  readonly average: readonly (number | null)[]
  readonly minimum?: readonly (number | null)[]
  readonly maximum?: readonly (number | null)[]
}

/** Times are epoch milliseconds, ascending: of the samples, or of the buckets' starts. `from` and `to` are the window asked for. */
export type HistoryColumns = {
  readonly tier: Tier
  readonly bucketMs: number
  readonly from: number
  readonly to: number
  readonly times: readonly number[]
  readonly series: readonly Column[]
  readonly warnings: readonly string[]
}

/** Turns what was found of one system into columns of one kind; nothing found gives no columns. */
export function toColumns(found: SystemHistory | undefined, kind: ColumnKind, tier: Tier, window: Window): HistoryColumns {
  const series = seriesOfKind(found, kind).map((column) => toColumn(column, kind))
  return { ...headOf(found, tier, window), series, warnings: found?.warnings ?? [] }
}

/** The same as JSON, column by column: all of them at once, as lists, would be megabytes. */
export function columnsJson(found: SystemHistory | undefined, kind: ColumnKind, tier: Tier, window: Window): string {
  const head = JSON.stringify(headOf(found, tier, window))
  const series = seriesOfKind(found, kind).map(({ key, average, extremes }) => {
    const said = JSON.stringify({ key, unit: unitOf(key), kind }).slice(0, -1)
    const bounds = extremes && `,"minimum":${numbersJson(extremes.minimum)},"maximum":${numbersJson(extremes.maximum)}`
    return `${said},"average":${numbersJson(average)}${bounds ?? ''}}`
  })
  return `${head.slice(0, -1)},"series":[${series.join(',')}],"warnings":${JSON.stringify(found?.warnings ?? [])}}`
}

/** What is said before the columns. */
export function headOf(
  found: SystemHistory | undefined,
  tier: Tier,
  { fromMs, toMs }: Window,
): Omit<HistoryColumns, 'series' | 'warnings'> {
  return { tier, bucketMs: bucketMs[tier], from: fromMs, to: toMs, times: found?.stretch.times ?? [] }
}

export const seriesOfKind = (found: SystemHistory | undefined, kind: ColumnKind): readonly SeriesColumn[] =>
  (found?.stretch.series ?? []).filter(({ key }) => isOfKind(key, kind))

function toColumn({ key, average, extremes }: SeriesColumn, kind: ColumnKind): Column {
  const column = { key, unit: unitOf(key), kind, average: nullable(average) }
  return extremes === undefined ? column : { ...column, minimum: nullable(extremes.minimum), maximum: nullable(extremes.maximum) }
}

const nullable = (values: Float64Array): readonly (number | null)[] => Array.from(values, (value) => (Number.isNaN(value) ? null : value))

/** A column's numbers as a list, which only the text is made of. */
const listed: number[] = []

/** JSON has null for NaN by itself. */
function numbersJson(values: Float64Array): string {
  listed.length = values.length
  for (let at = 0; at < values.length; at++) listed[at] = values[at] ?? Number.NaN
  return JSON.stringify(listed)
}

/** Whether a series is of a kind. */
export const isOfKind = (key: SeriesKey, kind: ColumnKind): boolean => kind === kindOf(key, kind)

/** Series of named things have kinds of their own; whole-machine series are `system`. */
function kindOf(key: SeriesKey, asked: ColumnKind): ColumnKind {
  if (asked === 'containers') return 'containers'
  if (key.startsWith('filesystem.')) return 'disks'
  if (key.startsWith('gpu.')) return 'gpus'
  if (key.startsWith('temperature.') || key.startsWith('fan.')) return 'sensors'
  return /^network\..+\./.test(key) ? 'interfaces' : 'system'
}
