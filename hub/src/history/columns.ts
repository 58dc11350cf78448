import { unitOf, type SeriesKey, type SeriesUnit, type StoredKind } from '@vedette/protocol/metrics/series'
import type { SystemHistory } from './history.ts'
import type { SeriesColumn } from './stretch.ts'
import { bucketMs, type Tier, type Window } from './tier.ts'

/** What can be asked for together. All but `containers` are parts of what is stored as `system`. */
export type ColumnKind = 'system' | 'containers' | 'disks' | 'interfaces' | 'gpus' | 'sensors'

export const columnKinds: readonly ColumnKind[] = ['system', 'containers', 'disks', 'interfaces', 'gpus', 'sensors']

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
  const { times = [], series = [] } = found?.stretch ?? {}
  return {
    tier,
    bucketMs: bucketMs[tier],
    from: window.fromMs,
    to: window.toMs,
    times,
    series: series.filter(({ key }) => kind === kindOf(key, kind)).map((column) => toColumn(column, kind)),
    warnings: found?.warnings ?? [],
  }
}

function toColumn({ key, average, extremes }: SeriesColumn, kind: ColumnKind): Column {
  const column = { key, unit: unitOf(key), kind, average: nullable(average) }
  return extremes === undefined ? column : { ...column, minimum: nullable(extremes.minimum), maximum: nullable(extremes.maximum) }
}

function nullable(values: Float64Array): readonly (number | null)[] {
  const known: (number | null)[] = []
  for (const value of values) known.push(Number.isNaN(value) ? null : value)
  return known
}

/** Series of named things have kinds of their own; whole-machine series are `system`. */
function kindOf(key: SeriesKey, asked: ColumnKind): ColumnKind {
  if (asked === 'containers') return 'containers'
  if (key.startsWith('filesystem.')) return 'disks'
  if (key.startsWith('gpu.')) return 'gpus'
  if (key.startsWith('temperature.') || key.startsWith('fan.')) return 'sensors'
  return /^network\..+\./.test(key) ? 'interfaces' : 'system'
}
