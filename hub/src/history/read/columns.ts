import { type SeriesKey, type StoredKind, unitOf } from '@vedette/protocol/metrics/series'
import { z } from 'zod'
import { ByteWriter } from '../../platform/byte-codec.ts'
import { writeColumn } from '../codec/number-column.ts'
import { writeTimes } from '../codec/time-column.ts'
import type { SystemHistory } from '../model/history.ts'
import { finestStep } from '../model/precision.ts'
import type { SeriesColumn } from '../model/series-table.ts'
import { bucketMs, type Tier, tiers, type Window } from '../model/tier.ts'

/**
 * List of the groups of series that a client can request: `system`, `containers`, `disks`, `interfaces`, `gpus`, `sensors`, `drives`. The
 * database knows only two kinds: `containers`, and `system` for all other groups.
 */
export const columnKinds = ['system', 'containers', 'disks', 'interfaces', 'gpus', 'sensors', 'drives'] as const
export type ColumnKind = (typeof columnKinds)[number]

export const storedKindOf = (kind: ColumnKind): StoredKind => (kind === 'containers' ? 'containers' : 'system')

const numbers = z.array(z.number().nullable()).readonly()

/**
 * Schema of one series in the response of `/api/history/{system}`. Its lists have a value for each time of the response; `null` means
 * unknown. `minimum` and `maximum` exist only where values are averages.
 */
const columnSchema = z.object({
  key: z.string(),
  unit: z.string(),
  kind: z.enum(columnKinds),
  average: numbers,
  minimum: numbers.exactOptional(),
  maximum: numbers.exactOptional(),
})
export type Column = Readonly<z.infer<typeof columnSchema>>

/**
 * Schema of the response of `/api/history/{system}`. Times are those of samples or the starts of averaged intervals, in epoch ms,
 * ascending. `from` and `to` are the requested time range, `bucketMs` the interval's length.
 */
export const columnsSchema = z.object({
  tier: z.enum(tiers),
  bucketMs: z.number(),
  from: z.number(),
  to: z.number(),
  times: z.array(z.number()).readonly(),
  series: z.array(columnSchema).readonly(),
  warnings: z.array(z.string()).readonly(),
})
export type HistoryColumns = Readonly<z.infer<typeof columnsSchema>>

/**
 * Converts the history of one system to the response object of `/api/history/{system}` with the series of the group `kind`. Without a
 * history (`undefined`) it has no series.
 */
export function toColumns(found: SystemHistory | undefined, kind: ColumnKind, tier: Tier, window: Window): HistoryColumns {
  const series = seriesOfKind(found, kind).map((column) => toColumn(column, kind))
  return { ...headOf(found, tier, window), series, warnings: found?.warnings ?? [] }
}

/**
 * Returns the response of `/api/history/{system}` as JSON text, as {@link toColumns} would as an object. It is written series by series, to
 * need less memory.
 */
export function columnsJson(found: SystemHistory | undefined, kind: ColumnKind, tier: Tier, window: Window): string {
  const head = JSON.stringify(headOf(found, tier, window))
  const series = seriesOfKind(found, kind).map(({ key, average, extremes }) => {
    const description = JSON.stringify({ key, unit: unitOf(key), kind }).slice(0, -1)
    const bounds = extremes && `,"minimum":${numbersJson(extremes.minimum)},"maximum":${numbersJson(extremes.maximum)}`
    return `${description},"average":${numbersJson(average)}${bounds ?? ''}}`
  })
  return `${head.slice(0, -1)},"series":[${series.join(',')}],"warnings":${JSON.stringify(found?.warnings ?? [])}}`
}

/**
 * Returns the response object of `/api/history/{system}` without series and warnings: tier (resolution), interval length in ms, requested
 * time range, and times (epoch ms). Without a history (`found` is `undefined`) the times are empty.
 */
export function headOf(
  found: SystemHistory | undefined,
  tier: Tier,
  { fromMs, toMs }: Window,
): Omit<HistoryColumns, 'series' | 'warnings'> {
  return { tier, bucketMs: bucketMs[tier], from: fromMs, to: toMs, times: found?.table.times ?? [] }
}

export const seriesOfKind = (found: SystemHistory | undefined, kind: ColumnKind): readonly SeriesColumn[] =>
  (found?.table.series ?? []).filter(({ key }) => isOfKind(key, kind))

function toColumn({ key, average, extremes }: SeriesColumn, kind: ColumnKind): Column {
  const column = { key, unit: unitOf(key), kind, average: nullable(average) }
  return extremes === undefined ? column : { ...column, minimum: nullable(extremes.minimum), maximum: nullable(extremes.maximum) }
}

const nullable = (values: Float64Array): readonly (number | null)[] => Array.from(values, (value) => (Number.isNaN(value) ? null : value))

/** Scratch array into which the values of one history series are copied for `JSON.stringify`. It is reused to save allocations. */
const listed: number[] = []

/** Returns the values of one history series as the text of a JSON list, such as `[1.5,null]`; NaN (unknown) becomes null. */
function numbersJson(values: Float64Array): string {
  listed.length = values.length
  for (let at = 0; at < values.length; at++) listed[at] = values[at] ?? Number.NaN
  return JSON.stringify(listed)
}

export const isOfKind = (key: SeriesKey, kind: ColumnKind): boolean => kind === kindOf(key, kind)

/**
 * Returns the group to which a series belongs by the start of its key: `gpus` for `gpu.…`, `disks` for `filesystem.…`; without such a start
 * `system`. If `wanted` is `containers`, all keys are of containers, and so is the result.
 */
function kindOf(key: SeriesKey, wanted: ColumnKind): ColumnKind {
  if (wanted === 'containers') return 'containers'
  if (key.startsWith('filesystem.')) return 'disks'
  if (key.startsWith('gpu.')) return 'gpus'
  if (key.startsWith('drive.')) return 'drives'
  if (key.startsWith('temperature.') || key.startsWith('fan.')) return 'sensors'
  return /^network\..+\./.test(key) ? 'interfaces' : 'system'
}

/** Media type of the compact binary response of `/api/history/{system}`: `application/vnd.vedette.columns`. */
export const COLUMNS_TYPE = 'application/vnd.vedette.columns'

const VERSION = 1

/**
 * Encodes the response of `/api/history/{system}` in the binary format: version byte, length and text of a JSON object, times, then the
 * columns of each series. Numbers are encoded as in stored blocks, see docs/history.md.
 */
export function columnsBytes(found: SystemHistory | undefined, kind: ColumnKind, tier: Tier, window: Window): Uint8Array {
  const writer = new ByteWriter()
  const { times, ...head } = headOf(found, tier, window)
  const series = seriesOfKind(found, kind)
  const described = series.map(({ key, extremes }) => ({ key, unit: unitOf(key), kind, extremes: extremes !== undefined }))
  const text = new TextEncoder().encode(JSON.stringify({ ...head, warnings: found?.warnings ?? [], series: described }))
  writer.byte(VERSION)
  writer.integer(text.length)
  writer.bytes(text)
  writeTimes(writer, times)
  for (const { key, average, extremes } of series) {
    const step = finestStep(key)
    writeColumn(writer, average, step)
    if (extremes === undefined) continue
    writeColumn(writer, extremes.minimum, step)
    writeColumn(writer, extremes.maximum, step)
  }
  return writer.take()
}
