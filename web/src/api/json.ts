/**
 * Parsed JSON object of unknown shape. Read its values with `textOf`, `numberOf`, `listOf` and `recordOf`. For a value of the wrong type,
 * the first two return `undefined`, the others an empty list or object. `textOf` also returns `undefined` for an empty text.
 */

export type JsonRecord = Readonly<Record<string, unknown>>

const isRecord = (value: unknown): value is JsonRecord => typeof value === 'object' && value !== null && !Array.isArray(value)

export const recordOf = (value: unknown): JsonRecord => (isRecord(value) ? value : {})

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

export const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)

export const numberOf = (value: unknown): number | undefined => (typeof value === 'number' && Number.isFinite(value) ? value : undefined)

/**
 * Parses a date as text, such as `2026-01-31 09:30:00.000Z` in a record of the hub, to epoch ms; `undefined` for a value that is no date.
 */
export function timeOf(value: unknown): number | undefined {
  const parsed = typeof value === 'string' ? Date.parse(value.replace(' ', 'T')) : Number.NaN
  return Number.isNaN(parsed) ? undefined : parsed
}
