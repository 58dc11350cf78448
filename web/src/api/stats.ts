import type { QueryKey } from '@tanstack/react-query'
import { readContainerStatsJson, readStatsJson, type Json, type JsonObject } from '@vedette/protocol/wire/stats-json'
import type { SeriesKey, SeriesValues } from '@vedette/protocol/metrics/series'
import { frameOfSamples, isEmptyFrame, withGaps, type SeriesFrame } from '../chart/series-frame.ts'
import { clockNow } from '../format/clock.ts'
import type { Column, Extremes } from '../format/column.ts'
import { filterOf, getJson, listRecords } from './client.ts'
import { listOf, numberOf, recordOf, textOf, timeOf, type JsonRecord } from './json.ts'
import { keys } from './keys.ts'
import { unreadable } from './request-failed.ts'
import type { Range } from './ranges.ts'
import { serverQuery } from './server-query.ts'

/**
 * Which charts of a system one request loads data for: `system` (charts of the whole machine) or `containers`. Both are values of the
 * history endpoint's parameter `kind`.
 */
export type StatsKind = 'system' | 'containers'

/**
 * Set of series that one request to the history endpoint `/api/history/ID` loads: `system`, `containers`, `disks`, `interfaces`, `gpus` or
 * `sensors`.
 */
export type HistoryKind = StatsKind | 'disks' | 'interfaces' | 'gpus' | 'sensors'

export const MINUTE_MS = 60_000

const collections: Readonly<Record<StatsKind, string>> = { system: 'system_stats', containers: 'container_stats' }

/**
 * Default limit of the number of points in a history response: 1,440. That is about one for each pixel of a wide chart, and the minutes of
 * a day.
 */
export const HISTORY_POINTS = 1_440

/**
 * Minimum number of stored records, 3, with which charts of a preset range can draw lines. With fewer, as for a new system, finer samples
 * are fetched instead.
 */
const FEWEST_RECORDS = 3

/** Maximum number of one-minute points, 10,080 (7 days), that charts request instead of a preset range that has too few stored records. */
export const MINUTES_BACK = 10_080

export type TimeWindow = { readonly fromMs: number; readonly toMs: number }

/**
 * Time range of a system's charts. It is a preset such as "last hour" that ends now (`range`), or a window with start and end that the user
 * selected.
 */
export type ChartSpan = { readonly kind: 'range'; readonly range: Range } | { readonly kind: 'window'; readonly window: TimeWindow }

export const statsQuery = (systemId: string, kind: StatsKind, span: ChartSpan) =>
  serverQuery(
    keys.stats(systemId, kind, spanKey(span)),
    (signal) =>
      span.kind === 'range' ? fetchRange(systemId, kind, span.range, signal) : fetchWindow({ systemId, kind, window: span.window }, signal),
    spanQueryOptions(span),
  )

/**
 * Returns the part of a TanStack Query key that identifies the time range of charts. It is the preset's id, or the window with start and
 * end in epoch ms.
 */
export const spanKey = (span: ChartSpan) => (span.kind === 'range' ? span.range.id : span.window)

/**
 * Returns the TanStack Query options that all queries for a time range of charts share. The data never become stale, and leave the cache as
 * soon as no chart uses them.
 */
export const spanQueryOptions = (span: ChartSpan) => ({
  placeholderData: whilePanned(span),
  gcTime: 0,
  staleTime: Number.POSITIVE_INFINITY,
})

/**
 * Returns a `placeholderData` function for TanStack Query, which gives charts data while a new time range loads. If the range was only
 * shifted (pan, same length), these are the data of the previous range. Otherwise there are none.
 */
const whilePanned =
  (span: ChartSpan) =>
  <T>(previous: T | undefined, query: { readonly queryKey: QueryKey } | undefined): T | undefined => {
    const shown = query?.queryKey.at(-1)
    const isMoved = span.kind === 'window' && isWindow(shown) && shown.toMs - shown.fromMs === span.window.toMs - span.window.fromMs
    return isMoved ? previous : undefined
  }

const isWindow = (key: unknown): key is TimeWindow => typeof key === 'object' && key !== null && 'fromMs' in key && 'toMs' in key

/**
 * Fetches the stored records of the preset range `range` that ends now, and resolves to time series (see `SeriesFrame`). With fewer than 3
 * records, as for a new system, it resolves to finer samples instead, if there are any. One-minute records have no finer ones.
 */
async function fetchRange(systemId: string, kind: StatsKind, range: Range, signal: AbortSignal): Promise<SeriesFrame> {
  const toMs = clockNow()
  const window = { fromMs: toMs - range.spanMs, toMs }
  const filter = filterOf('system={:systemId} && created > {:since} && type={:type}', {
    systemId,
    since: new Date(window.fromMs),
    type: range.recordType,
  })
  const records = await listRecords(collections[kind], { filter, fields: 'created,stats', sort: 'created' }, signal)
  const samples = records.flatMap((record) => {
    const at = timeOf(record['created'])
    return at === undefined ? [] : [{ at, values: readValues[kind](record) }]
  })
  const frame = frameOfSamples(samples, window, range.intervalMs)
  if (samples.length >= FEWEST_RECORDS || range.recordType === '1m') return frame
  // A bucket is stored when its time is over. With hardly any buckets, there are few minutes too.
  const firstMs = Math.min(samples[0]?.at ?? toMs, toMs - MINUTES_BACK * MINUTE_MS)
  const finerWindow = { fromMs: Math.max(window.fromMs, firstMs), toMs }
  const finer = await fetchWindow({ systemId, kind, window: finerWindow, points: MINUTES_BACK }, signal)
  return isEmptyFrame(finer) ? frame : { ...finer, ...window }
}

export type HistoryQuery = {
  readonly systemId: string
  readonly kind: HistoryKind
  readonly window: TimeWindow
  /** Maximum number of points in the response of the history endpoint; {@link HISTORY_POINTS} when absent. */
  readonly points?: number
  /** List of the keys of the series to fetch from the history endpoint, such as `cpu.busyPercent`; absent = all series of the kind. */
  readonly series?: readonly SeriesKey[]
}

/**
 * Resolves with a system's time series in any time range, from the history endpoint, at the finest stored resolution that fits `points`.
 * Rejects with RequestFailed, also (`unreadable`) for a truncated response.
 */
export async function fetchWindow(
  { systemId, kind, window: { fromMs, toMs }, points = HISTORY_POINTS, series }: HistoryQuery,
  signal: AbortSignal,
): Promise<SeriesFrame> {
  const query = new URLSearchParams({
    from: `${fromMs}`,
    to: `${toMs}`,
    points: `${points}`,
    kind,
    ...(series && { series: series.join(',') }),
  })
  const response = await getJson(`/api/history/${encodeURIComponent(systemId)}?${query.toString()}`, signal)
  // A truncated response is not an empty history.
  if (!Array.isArray(recordOf(response)['times'])) throw unreadable()
  return { ...readFrame(response), fromMs, toMs }
}

/**
 * Parses a response of the history endpoint into common times (epoch ms) and an array of values for each series that has any. Where samples
 * are missing, a row of nulls is inserted, so that chart lines are interrupted.
 */
export function readFrame(response: unknown): SeriesFrame {
  const { from, to, bucketMs, times: sentTimes, series: sentSeries } = recordOf(response)
  const times = listOf(sentTimes).flatMap((time) => numberOf(time) ?? [])
  const series = new Map<SeriesKey, Column>()
  const extremes = new Map<SeriesKey, Extremes>()
  for (const one of listOf(sentSeries)) {
    const { key, average, minimum, maximum } = recordOf(one)
    const name = textOf(key)
    const values = columnOf(average, times.length)
    // A series without any value is left out.
    if (name === undefined || values === undefined) continue
    series.set(name, values)
    const [lowest, highest] = [columnOf(minimum, times.length), columnOf(maximum, times.length)]
    if (lowest !== undefined && highest !== undefined) extremes.set(name, { minimum: lowest, maximum: highest })
  }
  const frame = { fromMs: numberOf(from) ?? 0, toMs: numberOf(to) ?? 0, times, series, ...(extremes.size > 0 && { extremes }) }
  return withGaps(frame, numberOf(bucketMs) ?? Number.POSITIVE_INFINITY)
}

/**
 * Parses a JSON list into a chart column: an array of `length` numbers and nulls, with null for each invalid value. `undefined` when no
 * value is a number.
 */
function columnOf(values: unknown, length: number): Column | undefined {
  const list = listOf(values)
  const column = isColumn(list) && list.length === length ? list : Array.from({ length }, (_, index) => numberOf(list[index]) ?? null)
  return column.some((value) => value !== null) ? column : undefined
}

const isColumn = (list: readonly unknown[]): list is Column => list.every((value) => value === null || numberOf(value) !== undefined)

/**
 * Returns the measured values in a `system_stats` record as an object from series key to number, in base units. Empty when the record has
 * none.
 */
export const readStats = ({ stats }: JsonRecord): SeriesValues => (isJsonObject(stats) ? readStatsJson(stats) : {})

/**
 * Returns the measured values of all containers in a `container_stats` record as an object from series key to number, in base units. Empty
 * when the record has none.
 */
export const readContainerStats = ({ stats }: JsonRecord): SeriesValues => (isJsonList(stats) ? readContainerStatsJson(stats) : {})

const readValues: Readonly<Record<StatsKind, (record: JsonRecord) => SeriesValues>> = { system: readStats, containers: readContainerStats }

// The response was parsed from JSON, so an object or a list in it holds JSON.
const isJsonObject = (value: unknown): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value)
const isJsonList = (value: unknown): value is readonly Json[] => Array.isArray(value)
