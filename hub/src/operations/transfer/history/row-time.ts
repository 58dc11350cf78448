import { bucketMs, bucketStart } from '../../../history/model/tier.ts'

const MINUTE_MS = 60_000
const TEN_MS = bucketMs['10m']
const TWO_HOURS_MS = bucketMs['2h']

/**
 * Map from the type of the imported hub's rows, such as `10m`, to the length in ms of the period that they average. The period ends at the
 * time of the row.
 */
export const averageMs = { '10m': TEN_MS, '20m': 2 * TEN_MS, '120m': TWO_HOURS_MS, '480m': 4 * TWO_HOURS_MS } as const

/** Type of an imported row of averages, named by the length of its averaged period: `10m`, `20m`, `120m` or `480m`. */
export type AverageType = keyof typeof averageMs

/** Returns the length of the averaged period of a type of imported rows, in minutes: 10, 20, 120 or 480. */
export const minutesOf = (type: AverageType): number => averageMs[type] / MINUTE_MS

/**
 * Parses the time of an imported row to epoch ms; `undefined` for any other value. Formats are such as `2026-11-23 14:37:00.041Z`, or Go's
 * `2026-11-23 14:37:00.041426797 +0000 UTC`.
 */
export function parseRowTime(text: unknown): number | undefined {
  if (typeof text !== 'string') return undefined
  const [, date, time, fraction = ''] = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)(\.\d{1,9})?(?:Z| \+0000 UTC)?$/.exec(text) ?? []
  if (date === undefined || time === undefined) return undefined
  const atMs = Date.parse(`${date}T${time}${fraction.slice(0, 4)}Z`)
  return Number.isNaN(atMs) ? undefined : atMs
}

/**
 * Returns the starts (epoch ms) of the 10-minute buckets that an imported row of averages fills: one for the type `10m`, two for `20m`.
 * `endMs`, the time of the row, is rounded to the nearest full ten minutes.
 */
export function tensOf(type: '10m' | '20m', endMs: number): readonly number[] {
  const end = Math.round(endMs / TEN_MS) * TEN_MS
  return type === '10m' ? [end - TEN_MS] : [end - 2 * TEN_MS, end - TEN_MS]
}

/**
 * Returns the starts (epoch ms) of the 2-hour buckets that an imported row of averages fills: one for `120m`, four for `480m`. The period
 * begins at any full ten minutes, and is moved to the buckets that it overlaps most.
 */
export function pairsOf(type: '120m' | '480m', endMs: number): readonly number[] {
  const start = Math.round(endMs / TEN_MS) * TEN_MS - averageMs[type]
  const before = bucketStart(start, TWO_HOURS_MS)
  const first = start - before > TWO_HOURS_MS / 2 ? before + TWO_HOURS_MS : before
  return type === '120m' ? [first] : [0, 1, 2, 3].map((place) => first + place * TWO_HOURS_MS)
}
