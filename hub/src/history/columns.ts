import { unitOf, type SeriesKey, type SeriesUnit, type StoredKind } from '@vedette/protocol/metrics/series'
import type { HistoryPoint } from './history.ts'
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

/** Turns points of one system into columns of one kind. */
export function toColumns(points: readonly HistoryPoint[], kind: ColumnKind, tier: Tier, window: Window): HistoryColumns {
  const keys = new Set(points.flatMap(({ bucket }) => Object.keys(bucket.average)).filter((key) => kind === kindOf(key, kind)))
  const columns = [...keys].toSorted().map((key): Column => {
    const column = { key, unit: unitOf(key), kind, average: points.map(({ bucket }) => bucket.average[key] ?? null) }
    if (tier === '1m') return column
    const minimum = points.map(({ bucket }) => bucket.minimum[key] ?? null)
    const maximum = points.map(({ bucket }) => bucket.maximum[key] ?? null)
    return { ...column, minimum, maximum }
  })
  return {
    tier,
    bucketMs: bucketMs[tier],
    from: window.fromMs,
    to: window.toMs,
    times: points.map(({ atMs }) => atMs),
    series: columns,
    warnings: [],
  }
}

/** Series of named things have kinds of their own; whole-machine series are `system`. */
function kindOf(key: SeriesKey, asked: ColumnKind): ColumnKind {
  if (asked === 'containers') return 'containers'
  if (key.startsWith('filesystem.')) return 'disks'
  if (key.startsWith('gpu.')) return 'gpus'
  if (key.startsWith('temperature.') || key.startsWith('fan.')) return 'sensors'
  return /^network\..+\./.test(key) ? 'interfaces' : 'system'
}
