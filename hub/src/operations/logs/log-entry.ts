import type { JsonObject } from '@vedette/protocol/wire/stats-json'
import { recordDate } from '../../records/model/stored-record.ts'

/** Log levels as clients know them; a higher one is worse. */
export const levels = { debug: -4, info: 0, warn: 4, error: 8 } as const

/** A log entry before it is stored. `data` has no secrets. */
export type LogEntry = {
  readonly atMs: number
  readonly level: number
  /** A request such as `GET /api/health`, or a message of the hub. */
  readonly message: string
  /** HTTP status of the response; absent when the entry is not a request. */
  readonly status?: number
  /** Id of the user who sent the request; `''` for none. */
  readonly account: string
  /** Address of the client that sent the request; `''` for none. */
  readonly address: string
  readonly data: JsonObject
}

/** A log entry as it is stored. */
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
/** Maximum bytes of `data`. Fields that do not fit are left out, the longest first. */
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

/** Approximate bytes of a row, with its indexes. */
export const bytesOf = ({ message, data }: Pick<LogRow, 'message' | 'data'>): number =>
  Buffer.byteLength(message) + Buffer.byteLength(data) + 200

/** Databases store neither U+0000 nor lone surrogates in a text. */
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
