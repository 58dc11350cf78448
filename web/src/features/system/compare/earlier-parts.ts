import type { ChartWindow } from '../../../chart/chart-drawing.ts'
import { daysBefore } from '../../../format/zoned-time.ts'

const MINUTE_MS = 60_000
const DAY_MS = 1_440 * MINUTE_MS

/** Step in ms by which a time range is searched for clock changes (daylight saving): half a day, in which clocks change at most once. */
const STEP_MS = DAY_MS / 2

/**
 * Part of a comparison's time range, from `fromMs` up to the next part. `shiftMs` is subtracted from a time to get the same time of day
 * some days earlier; `undefined` if clocks skipped that time then.
 */
export type EarlierPart = { readonly fromMs: number; readonly shiftMs: number | undefined }

/**
 * Splits a time range where clocks change (daylight saving), and returns the parts in order. In each part, the same time of day `days`
 * earlier is a constant `shiftMs` away. An earlier hour that occurred twice counts as its first occurrence.
 */
export function earlierParts({ fromMs, toMs }: ChartWindow, days: number, timeZone: string | undefined): readonly EarlierPart[] {
  if (days === 0) return [{ fromMs, shiftMs: 0 }]
  const shiftAt = (at: number): number | undefined => {
    const earlier = daysBefore(at, days, timeZone)
    return earlier === undefined ? undefined : at - earlier
  }
  /**
   * Returns the times (epoch ms) after `low` and up to `high` at which the shift to the earlier day changes. It changes where clocks are
   * changed on one of the two days. Found to the minute by bisection.
   */
  const changes = (low: number, high: number): readonly number[] => {
    if (shiftAt(low) === shiftAt(high)) return []
    if (high - low <= MINUTE_MS) return [high]
    const middle = Math.floor((low + high) / 2 / MINUTE_MS) * MINUTE_MS
    return [...changes(low, middle), ...changes(middle, high)]
  }
  const firstMs = Math.floor(fromMs / MINUTE_MS) * MINUTE_MS
  const steps = Array.from({ length: Math.ceil((toMs - firstMs) / STEP_MS) }, (_, index) => firstMs + index * STEP_MS)
  const begins = steps.flatMap((low) => changes(low, Math.min(low + STEP_MS, Math.ceil(toMs / MINUTE_MS) * MINUTE_MS)))
  return [fromMs, ...begins].map((at) => ({ fromMs: at, shiftMs: shiftAt(at) }))
}

/**
 * Returns the earlier time range (epoch ms) whose data a comparison loads: the same times of day `days` before. A clock change may make it
 * longer or shorter than the shown range.
 */
export function earlierWindow({ fromMs, toMs }: ChartWindow, days: number, timeZone: string | undefined): ChartWindow {
  const parts = earlierParts({ fromMs, toMs }, days, timeZone)
  const ends = parts.flatMap(({ fromMs: partMs, shiftMs }, index) =>
    shiftMs === undefined ? [] : [partMs - shiftMs, (parts[index + 1]?.fromMs ?? toMs) - shiftMs],
  )
  // The window lies in a skipped hour: the loaded data are not drawn.
  return ends.length === 0
    ? { fromMs: fromMs - days * DAY_MS, toMs: toMs - days * DAY_MS }
    : { fromMs: Math.min(...ends), toMs: Math.max(...ends) }
}
