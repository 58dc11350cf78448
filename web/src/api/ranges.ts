const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

export type RangeId = '1h' | '12h' | '24h' | '1w' | '30d'

/**
 * Preset time range of the charts, such as the last hour. `recordType` names the resolution of its stored records, such as `10m`. `spanMs`
 * is the range's length in ms, `intervalMs` the usual time between two points in ms.
 */
export type Range = { readonly id: RangeId; readonly recordType: string; readonly spanMs: number; readonly intervalMs: number }

/** Preset time range that charts show until the user selects another one: the last hour, with one point per minute. */
export const defaultRange: Range = { id: '1h', recordType: '1m', spanMs: HOUR_MS, intervalMs: MINUTE_MS }

export const ranges: readonly Range[] = [
  defaultRange,
  { id: '12h', recordType: '10m', spanMs: 12 * HOUR_MS, intervalMs: 10 * MINUTE_MS },
  { id: '24h', recordType: '20m', spanMs: DAY_MS, intervalMs: 20 * MINUTE_MS },
  { id: '1w', recordType: '120m', spanMs: 7 * DAY_MS, intervalMs: 120 * MINUTE_MS },
  { id: '30d', recordType: '480m', spanMs: 30 * DAY_MS, intervalMs: 480 * MINUTE_MS },
]

export const rangeOf = (id: string | null | undefined): Range | undefined => ranges.find((range) => range.id === id)
