import { getJson, sendRequest } from '../../api/client.ts'
import { listOf, numberOf, recordOf, textOf, timeOf, type JsonRecord } from '../../api/json.ts'
import { basePath } from '../../base-path.ts'

/** Entry of the hub's log, as the log page lists it. `atMs` is epoch ms; `level` is 8 error, 4 warning, 0 info, lower is debug. */
export type LogItem = {
  readonly id: string
  readonly atMs: number | undefined
  /** Time of the log entry as text in UTC, as the hub stores it: `2026-01-31 09:30:00.000Z`. */
  readonly created: string
  readonly level: number
  readonly message: string
  readonly data: JsonRecord
}

/** Search in the hub's log: filter expression, and time range in epoch ms. An `undefined` end of the range is unlimited. */
export type LogsQuery = { readonly filter: string; readonly fromMs: number | undefined; readonly toMs: number | undefined }

/** One page of a search in the hub's log: matching entries, newest first, and the value of `before` that requests the next page. */
export type LogPage = {
  readonly items: readonly LogItem[]
  /**
   * Number of the newest log entry that this search has covered, whether or not it matched. As `after` of the next search, it skips all
   * entries up to it. Without entries in the time range, it is the highest number of the whole log.
   */
  readonly last: number
  /** Value of the request parameter `before` that fetches the next page of older log entries; `undefined` on the last page. */
  readonly before: number | undefined
  /**
   * Time in epoch ms down to which the hub had searched its log when its time limit ended the search. `undefined` when the page is full or
   * the whole range was searched.
   */
  readonly searchedToMs: number | undefined
}

const ROWS_A_PAGE = 50
const ROWS_AT_ONCE = 200

export function readItem(value: unknown): LogItem {
  const { id, created, level, message, data } = recordOf(value)
  return {
    id: textOf(id) ?? '',
    atMs: timeOf(created),
    created: textOf(created) ?? '',
    level: numberOf(level) ?? 0,
    message: textOf(message) ?? '',
    data: recordOf(data),
  }
}

function searchOf({ filter, fromMs, toMs }: LogsQuery, more: Readonly<Record<string, number | string | undefined>> = {}): string {
  const all = Object.entries({ filter, from: fromMs, to: toMs, ...more }).filter(([, value]) => value !== undefined && value !== '')
  return new URLSearchParams(all.map(([name, value]) => [name, String(value)])).toString()
}

export async function fetchLogs(query: LogsQuery, before: number | undefined, signal: AbortSignal): Promise<LogPage> {
  return pageOf(await getJson(`/api/vedette/logs?${searchOf(query, { before, limit: ROWS_A_PAGE })}`, signal))
}

/**
 * Resolves with the log entries that match a query and whose numbers are above `after`: the first 200 of them at most, newest first. `last`
 * of the result is the number of the last searched entry, to pass as the next `after`.
 */
export async function fetchLogsAfter(query: LogsQuery, after: number, signal: AbortSignal): Promise<Pick<LogPage, 'items' | 'last'>> {
  return pageOf(await getJson(`/api/vedette/logs?${searchOf(query, { after, limit: ROWS_AT_ONCE })}`, signal))
}

function pageOf(answer: unknown): LogPage {
  const { items, last, before, searchedTo } = recordOf(answer)
  return { items: listOf(items).map(readItem), last: numberOf(last) ?? 0, before: numberOf(before), searchedToMs: numberOf(searchedTo) }
}

export const fetchLog = async (id: string, signal: AbortSignal): Promise<LogItem> =>
  readItem(await getJson(`/api/logs/${encodeURIComponent(id)}`, signal))

export type LogBar = { readonly startMs: number; readonly level: number; readonly entries: number }
export type HistogramData = {
  readonly fromMs: number
  readonly toMs: number
  readonly barMs: number
  readonly bars: readonly LogBar[]
  readonly total: number
  readonly countedFromMs: number | undefined
}

export async function fetchHistogram(query: LogsQuery, signal: AbortSignal): Promise<HistogramData> {
  const { from, to, barMs, bars, total, countedFrom } = recordOf(await getJson(`/api/vedette/logs/histogram?${searchOf(query)}`, signal))
  return {
    fromMs: numberOf(from) ?? 0,
    toMs: numberOf(to) ?? 0,
    barMs: numberOf(barMs) ?? 1,
    bars: listOf(bars).map((bar) => {
      const { startMs, level, entries } = recordOf(bar)
      return { startMs: numberOf(startMs) ?? 0, level: numberOf(level) ?? 0, entries: numberOf(entries) ?? 0 }
    }),
    total: numberOf(total) ?? 0,
    countedFromMs: numberOf(countedFrom),
  }
}

/**
 * Downloads the entries of the hub's log that match a query as a CSV or NDJSON file, the newest 500,000 at most. A short-lived token in the
 * URL authorizes the download.
 */
export async function saveLogs(query: LogsQuery, format: 'csv' | 'ndjson'): Promise<void> {
  const token = textOf(recordOf(await sendRequest('POST', '/api/files/token'))['token']) ?? ''
  location.assign(`${basePath}/api/vedette/logs/export?${searchOf(query, { format, token })}`)
}
