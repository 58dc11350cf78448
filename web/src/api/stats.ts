import { readContainerStatsJson, readStatsJson, type Json, type JsonObject } from '@vedette/protocol/wire/stats-json'
import type { SeriesKey, SeriesValues } from '@vedette/protocol/metrics/series'
import { clockNow } from '../format/clock.ts'
import { filterOf, getJson, listRecords } from './client.ts'
import { recordOf, timeOf, type JsonRecord } from './json.ts'
import { unreadable } from './request-failed.ts'
import type { Range } from './ranges.ts'
import { frameOfColumns, frameOfSamples, isEmptyFrame, type SeriesFrame } from './series-frame.ts'

/** Set of charts that one request serves. The names are the history endpoint's. */
export type StatsKind = 'system' | 'containers'

/** Values of the history endpoint's `kind`. */
export type HistoryKind = StatsKind | 'disks' | 'interfaces' | 'gpus' | 'sensors'

export const MINUTE_MS = 60_000

const collections: Readonly<Record<StatsKind, string>> = { system: 'system_stats', containers: 'container_stats' }

/** Most points of one history request: about one for each pixel of a wide chart, and the minutes of a day. */
const HISTORY_POINTS = 1_440

/** With fewer records than this a range is as good as empty: they make no line. */
const FEWEST_RECORDS = 3

/** As far back every minute of the history can be asked for at once. */
export const MINUTES_BACK = 10_080

export type TimeWindow = { readonly fromMs: number; readonly toMs: number }

/** A preset range that ends now. Where its records do not exist yet (a new hub), finer data of the same window. */
export async function fetchRange(systemId: string, kind: StatsKind, range: Range, signal: AbortSignal): Promise<SeriesFrame> {
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
  /** The most points of the response; 720 when absent. */
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
  const answer = await getJson(`/api/history/${encodeURIComponent(systemId)}?${query.toString()}`, signal)
  // A response that is cut short is not an empty history.
  if (!Array.isArray(recordOf(answer)['times'])) throw unreadable()
  return { ...frameOfColumns(answer), fromMs, toMs }
}

/** The series in one `system_stats` record. */
export const readStats = ({ stats }: JsonRecord): SeriesValues => (isJsonObject(stats) ? readStatsJson(stats) : {})

/** The series in one `container_stats` record. */
export const readContainerStats = ({ stats }: JsonRecord): SeriesValues => (isJsonList(stats) ? readContainerStatsJson(stats) : {})

const readValues: Readonly<Record<StatsKind, (record: JsonRecord) => SeriesValues>> = { system: readStats, containers: readContainerStats }

// The answer was parsed from JSON, so that an object or a list in it holds JSON.
const isJsonObject = (value: unknown): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value)
const isJsonList = (value: unknown): value is readonly Json[] => Array.isArray(value)
