import { ownValue } from '@vedette/protocol/own-value'
import type { Json } from '@vedette/protocol/wire/stats-json'
import type { DatabaseSync } from 'node:sqlite'
import { holdsNul, isJsonObject, parseSentJson } from '../../../../platform/json.ts'
import { normalDate } from '../../../../records/model/stored-record.ts'

/** Row of a table of the imported hub, by column name. Texts never contain U+0000; any column may be missing or have any type. */
export type ForeignRow = { readonly [column: string]: string | number | null }

/**
 * Yields the rows of a table of the imported hub one by one; none for a missing table. `newest` sorts by the column `created`, if there is
 * one, newest first.
 */
export function* foreignRows(database: DatabaseSync, table: string, order: 'stored' | 'newest' = 'stored'): Generator<ForeignRow> {
  const columns = database.prepare('select name from pragma_table_info(?)').all(table)
  if (columns.length === 0) return
  const isSorted = order === 'newest' && columns.some(({ name }) => name === 'created')
  const statement = database.prepare(`select * from "${table}"${isSorted ? ' order by "created" desc' : ''}`)
  // A number beyond 2^53 would throw otherwise.
  statement.setReadBigInts(true)
  for (const row of statement.iterate()) yield Object.fromEntries(Object.entries(row).map(([column, value]) => [column, plainValue(value)]))
}

function plainValue(value: unknown): string | number | null {
  if (typeof value === 'bigint') return Number(value)
  if (typeof value === 'number') return value
  if (typeof value === 'string') return withoutNul(value)
  // Settings are stored as bytes.
  return value instanceof Uint8Array ? withoutNul(Buffer.from(value).toString('utf8')) : null
}

const withoutNul = (text: string): string => text.replaceAll('\0', '').toWellFormed()

/** Returns the value of an imported row's column as text: numbers are converted, any other type and a missing column give `''`. */
export function foreignText(row: ForeignRow, column: string): string {
  const value = ownValue(row, column)
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : ''
}

/**
 * Parses the JSON text in an imported row's column. `undefined` for invalid JSON, null for an empty column. U+0000 is removed from texts
 * and names.
 */
export function foreignJson(row: ForeignRow, column: string): Json | undefined {
  const value = ownValue(row, column)
  if (typeof value !== 'string') return value ?? null
  if (value === '') return null
  try {
    const json = parseSentJson(value)
    return holdsNul(json) ? cleaned(json) : json
  } catch {
    // Invalid JSON is one of the values that a foreign database may hold. The caller counts it.
    return undefined
  }
}

function cleaned(value: Json): Json {
  if (typeof value === 'string') return withoutNul(value)
  if (Array.isArray(value)) return value.map(cleaned)
  if (!isJsonObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [withoutNul(name), cleaned(inner)]))
}

/**
 * Regular expression for dates in an imported database as Go prints them, such as `2026-11-23 14:37:00.041426797 +0000 UTC m=+0.1`. Groups:
 * date and time, and offset.
 */
const GO_DATE = /^(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d{1,9})?) ([+-]\d{4})(?: .*)?$/

/**
 * Regular expression for dates such as `2026-11-23 14:37:00.041Z` with a day up to 28, which every month has. They are valid as they are;
 * parsing all dates would take most of the import's time.
 */
const RECORD_DATE = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8]) (?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/

/**
 * Returns the date in an imported row's column in the form `2026-11-23 14:37:00.041Z`. It accepts the forms that the records API accepts,
 * and that of Go's `time.String`; any other value gives `''`.
 */
export function foreignDate(row: ForeignRow, column: string): string {
  const text = foreignText(row, column)
  if (RECORD_DATE.test(text)) return text
  const [, time, zone] = GO_DATE.exec(text) ?? []
  return normalDate(time === undefined ? text : `${time}${zone}`)
}
