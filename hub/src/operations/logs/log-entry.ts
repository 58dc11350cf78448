import type { JsonObject } from '@vedette/protocol/wire/stats-json'
import { recordDate } from '../../records/model/record-date.ts'

/** As clients know them: the more, the worse. */
export const levels = { debug: -4, info: 0, warn: 4, error: 8 } as const

/** One thing that happened, before it is stored. `data` has no secrets. */
export type LogEntry = {
  readonly atMs: number
  readonly level: number
  /** `GET /api/health`, or what the hub says. */
  readonly message: string
  /** Of the answer; absent where nobody queries. */
  readonly status?: number
  /** Id of who asked, `''` for nobody. */
  readonly account: string
  /** Of who asked, `''` for nobody. */
  readonly address: string
  readonly data: JsonObject
}

/** As it is stored. */
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
/** What does not fit is left out, the longest first. */
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

/** What a row takes, about, with what finds it. */
export const bytesOf = ({ message, data }: Pick<LogRow, 'message' | 'data'>): number =>
  Buffer.byteLength(message) + Buffer.byteLength(data) + 200

/** No database keeps U+0000 in a text, nor half a character. */
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
