import type { JsonObject } from '@vedette/protocol/wire/stats-json'
import { recordDate } from '../../records/model/stored-record.ts'

/** Map from the name of a log level to its number in requests, responses and the database: debug -4, info 0, warn 4, error 8. */
export const levels = { debug: -4, info: 0, warn: 4, error: 8 } as const

/** Log entry before it is stored: time, level, message and data. Secrets in `data` are redacted already. */
export type LogEntry = {
  readonly atMs: number
  readonly level: number
  /** Message of the log entry: method and path for a request, such as `GET /api/health`; otherwise a sentence of the hub. */
  readonly message: string
  /** HTTP status of the response to the logged request. Absent when the log entry is not a request. */
  readonly status?: number
  /** Id of the user who sent the logged request; `''` for a guest, and for entries that are not about a request. */
  readonly account: string
  /**
   * IP address of the client that sent the logged request; `''` for an entry that is not about a request. The log settings can exclude it
   * from storing.
   */
  readonly address: string
  readonly data: JsonObject
}

/** Row of the table `logs` before it is inserted: a {@link LogEntry} whose `data` is JSON text. */
export type LogRow = {
  readonly created: string
  readonly level: number
  readonly message: string
  readonly status: number | null
  readonly account: string
  readonly address: string
  readonly data: string
}

const LONGEST_MESSAGE = 500
/**
 * Maximum size of `data` in a log row, in bytes (4,000). Larger data, or data with U+0000, is shortened: texts to 100 characters, objects
 * and lists to null, and at most 20 fields.
 */
const MOST_DATA_BYTES = 4_000
const LONGEST_TEXT = 1_000

export function rowOf({ atMs, level, message, status, account, address, data }: LogEntry): LogRow {
  return {
    created: recordDate(atMs),
    level,
    message: fitting(message, LONGEST_MESSAGE),
    status: status ?? null,
    account,
    address,
    data: boundedJson(data),
  }
}

/** Returns the approximate size of a log row in bytes, with its indexes: message and data, plus 200. */
export const bytesOf = ({ message, data }: Pick<LogRow, 'message' | 'data'>): number =>
  Buffer.byteLength(message) + Buffer.byteLength(data) + 200

/**
 * Returns a text of a log entry as it can be stored: without U+0000 and lone surrogates, which databases refuse. A text of over `most`
 * UTF-16 units is cut there and gets `…`.
 */
function fitting(text: string, most: number): string {
  const kept = text.length <= most ? text : `${text.slice(0, most)}…`
  return kept.replaceAll('\0', '').toWellFormed()
}

function boundedJson(data: JsonObject): string {
  const kept = Object.entries(data).map(
    ([name, value]) => [name, typeof value === 'string' ? fitting(value, LONGEST_TEXT) : value] as const,
  )
  const text = JSON.stringify(Object.fromEntries(kept))
  if (Buffer.byteLength(text) <= MOST_DATA_BYTES && !text.includes('\\u0000')) return text
  const short = kept.map(
    ([name, value]) => [name, typeof value === 'string' ? fitting(value, 100) : typeof value === 'object' ? null : value] as const,
  )
  return JSON.stringify(Object.fromEntries(short.slice(0, MOST_FIELDS)))
}

const MOST_FIELDS = 20
