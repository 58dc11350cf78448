import { unitOf, type SeriesKey, type SeriesUnit, type StoredKind } from '@vedette/protocol/metrics/series'
import type { SystemHistory } from '../model/history.ts'
import type { SeriesColumn } from '../model/stretch.ts'
import { bucketMs, type Tier, type Window } from '../model/tier.ts'

/** Groups of series that a client can request. All but `containers` are parts of the stored kind `system`. */
export type ColumnKind = 'system' | 'containers' | 'disks' | 'interfaces' | 'gpus' | 'sensors'

export const columnKinds = ['system', 'containers', 'disks', 'interfaces', 'gpus', 'sensors'] as const satisfies readonly ColumnKind[]

export const storedKindOf = (kind: ColumnKind): StoredKind => (kind === 'containers' ? 'containers' : 'system')

/** One series over the times of the response; `null` means unknown. Extremes exist only where the tier has them. */
export type Column = {
  readonly key: SeriesKey
  readonly unit: SeriesUnit
  readonly kind: ColumnKind
  readonly average: readonly (number | null)[]
  readonly minimum?: readonly (number | null)[]
  readonly maximum?: readonly (number | null)[]
}

/** Times are epoch milliseconds, ascending: sample times or bucket starts. `from` and `to` are the requested window. */
export type HistoryColumns = {
  readonly tier: Tier
  readonly bucketMs: number
  readonly from: number
  readonly to: number
  readonly times: readonly number[]
  readonly series: readonly Column[]
  readonly warnings: readonly string[]
}

/** Converts the history of one system to columns of one kind. `undefined` gives no columns. */
export function toColumns(found: SystemHistory | undefined, kind: ColumnKind, tier: Tier, window: Window): HistoryColumns {
  const series = seriesOfKind(found, kind).map((column) => toColumn(column, kind))
  return { ...headOf(found, tier, window), series, warnings: found?.warnings ?? [] }
}

/** Writes the columns of {@link toColumns} as JSON text, one by one. Lists of all columns at once would take megabytes. */
export function columnsJson(found: SystemHistory | undefined, kind: ColumnKind, tier: Tier, window: Window): string {
  const head = JSON.stringify(headOf(found, tier, window))
  const series = seriesOfKind(found, kind).map(({ key, average, extremes }) => {
    const description = JSON.stringify({ key, unit: unitOf(key), kind }).slice(0, -1)
    const bounds = extremes && `,"minimum":${numbersJson(extremes.minimum)},"maximum":${numbersJson(extremes.maximum)}`
    return `${description},"average":${numbersJson(average)}${bounds ?? ''}}`
  })
  return `${head.slice(0, -1)},"series":[${series.join(',')}],"warnings":${JSON.stringify(found?.warnings ?? [])}}`
}

/** The fields of the response before its columns. */
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

/** Reused list of one column's numbers, from which the JSON text is made. */
const listed: number[] = []

/** `JSON.stringify` writes NaN as null. */
function numbersJson(values: Float64Array): string {
  listed.length = values.length
  for (let at = 0; at < values.length; at++) listed[at] = values[at] ?? Number.NaN
  return JSON.stringify(listed)
}

export const isOfKind = (key: SeriesKey, kind: ColumnKind): boolean => kind === kindOf(key, kind)

/** Series of filesystems, GPUs, sensors and interfaces have their own kinds; whole-machine series are `system`. */
function kindOf(key: SeriesKey, wanted: ColumnKind): ColumnKind {
  if (wanted === 'containers') return 'containers'
  if (key.startsWith('filesystem.')) return 'disks'
  if (key.startsWith('gpu.')) return 'gpus'
  if (key.startsWith('temperature.') || key.startsWith('fan.')) return 'sensors'
  return /^network\..+\./.test(key) ? 'interfaces' : 'system'
}
