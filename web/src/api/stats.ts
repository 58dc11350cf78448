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

/** Set of charts that one request serves. The names are the history endpoint's. */
export type StatsKind = 'system' | 'containers'

/** Values of the history endpoint's `kind`. */
export type HistoryKind = StatsKind | 'disks' | 'interfaces' | 'gpus' | 'sensors'

export const MINUTE_MS = 60_000

const collections: Readonly<Record<StatsKind, string>> = { system: 'system_stats', containers: 'container_stats' }

/** Most points of one history request: about one for each pixel of a wide chart, and the minutes of a day. */
export const HISTORY_POINTS = 1_440

/** With fewer records than this a range is as good as empty: they make no line. */
const FEWEST_RECORDS = 3

/** As far back every minute of the history can be asked for at once. */
export const MINUTES_BACK = 10_080

export type TimeWindow = { readonly fromMs: number; readonly toMs: number }

/** Time range of the charts: a preset that ends now, or a window that a person picked. */
export type ChartSpan = { readonly kind: 'range'; readonly range: Range } | { readonly kind: 'window'; readonly window: TimeWindow }

export const statsQuery = (systemId: string, kind: StatsKind, span: ChartSpan) =>
  serverQuery(
    keys.stats(systemId, kind, spanKey(span)),
    (signal) =>
      span.kind === 'range' ? fetchRange(systemId, kind, span.range, signal) : fetchWindow({ systemId, kind, window: span.window }, signal),
    forgotten(span),
  )

/** The part of a key that says which span. */
export const spanKey = (span: ChartSpan) => (span.kind === 'range' ? span.range.id : span.window)

/** Options of a query over a span. A range that is left is forgotten: the next one starts from nothing, as does coming back to this one. */
export const forgotten = (span: ChartSpan) => ({ placeholderData: whilePanned(span), gcTime: 0, staleTime: Number.POSITIVE_INFINITY })

/** A window that is moved keeps what was read of it, until what is new is there; any other begins with nothing. */
const whilePanned =
  (span: ChartSpan) =>
  <T>(previous: T | undefined, query: { readonly queryKey: QueryKey } | undefined): T | undefined => {
    const shown = query?.queryKey.at(-1)
    const isMoved = span.kind === 'window' && isWindow(shown) && shown.toMs - shown.fromMs === span.window.toMs - span.window.fromMs
    return isMoved ? previous : undefined
  }

const isWindow = (key: unknown): key is TimeWindow => typeof key === 'object' && key !== null && 'fromMs' in key && 'toMs' in key

/** A preset range that ends now. Where its records do not exist yet (a new hub), finer data of the same window. */
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
  // Buckets are made when their time is over. Where there are hardly any, there are not many minutes either.
  const firstMs = Math.min(samples[0]?.at ?? toMs, toMs - MINUTES_BACK * MINUTE_MS)
  const finerWindow = { fromMs: Math.max(window.fromMs, firstMs), toMs }
  const finer = await fetchWindow({ systemId, kind, window: finerWindow, points: MINUTES_BACK }, signal)
  return isEmptyFrame(finer) ? frame : { ...finer, ...window }
}

export type HistoryQuery = {
  readonly systemId: string
  readonly kind: HistoryKind
  readonly window: TimeWindow
  /** The most points of the response; {@link HISTORY_POINTS} when absent. */
  readonly points?: number
  /** The series to read; without it, all of the kind. */
  readonly series?: readonly SeriesKey[]
}

/** Any window, at the finest resolution that is stored for it and has no more points. */
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
  // A response that is cut short is not an empty history.
  if (!Array.isArray(recordOf(response)['times'])) throw unreadable()
  return { ...readFrame(response), fromMs, toMs }
}

/** The frame in a response of the history endpoint. Its columns are the lists of the response. */
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

/** The list itself where it is a column; otherwise a column of the numbers in it. `undefined` where no value is known. */
function columnOf(values: unknown, length: number): Column | undefined {
  const list = listOf(values)
  const column = isColumn(list) && list.length === length ? list : Array.from({ length }, (_, index) => numberOf(list[index]) ?? null)
  return column.some((value) => value !== null) ? column : undefined
}

const isColumn = (list: readonly unknown[]): list is Column => list.every((value) => value === null || numberOf(value) !== undefined)

/** The series in one `system_stats` record. */
export const readStats = ({ stats }: JsonRecord): SeriesValues => (isJsonObject(stats) ? readStatsJson(stats) : {})

/** The series in one `container_stats` record. */
export const readContainerStats = ({ stats }: JsonRecord): SeriesValues => (isJsonList(stats) ? readContainerStatsJson(stats) : {})

const readValues: Readonly<Record<StatsKind, (record: JsonRecord) => SeriesValues>> = { system: readStats, containers: readContainerStats }

// The answer was parsed from JSON, so that an object or a list in it holds JSON.
const isJsonObject = (value: unknown): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value)
const isJsonList = (value: unknown): value is readonly Json[] => Array.isArray(value)
