import type { ChartWindow } from '../../../chart/chart-drawing.ts'
import { daysBefore } from '../../../format/zoned-time.ts'

const MINUTE_MS = 60_000
const DAY_MS = 1_440 * MINUTE_MS

/** Within half a day clocks change once, and a change one day before lies in another half. */
const STEP_MS = DAY_MS / 2

/**
 * A part of a window, up to the next part: it is drawn beside the time that was `shiftMs` earlier. `undefined`: the clocks left that hour
 * out on the earlier day, so that there is nothing beside it. Epoch ms.
 */
export type EarlierPart = { readonly fromMs: number; readonly shiftMs: number | undefined }

/**
 * The parts of a window by how far the same hours by the clock lie back on the day `days` before: a part more for each change of the clocks.
 * Both passes of an hour that the window has twice are beside the one of the earlier day. Of an hour that the earlier day had twice, the
 * first pass is drawn.
 */
export function earlierParts({ fromMs, toMs }: ChartWindow, days: number, timeZone: string | undefined): readonly EarlierPart[] {
  if (days === 0) return [{ fromMs, shiftMs: 0 }]
  const shiftAt = (at: number): number | undefined => {
    const earlier = daysBefore(at, days, timeZone)
    return earlier === undefined ? undefined : at - earlier
  }
  /** Where the shift changes after `low`, up to and with `high`; both are whole minutes. */
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

/** The earlier time that is drawn beside the parts of a window: as long as the window, or longer by what the clocks were put back. */
export function earlierWindow({ fromMs, toMs }: ChartWindow, days: number, timeZone: string | undefined): ChartWindow {
  const parts = earlierParts({ fromMs, toMs }, days, timeZone)
  const ends = parts.flatMap(({ fromMs: partMs, shiftMs }, index) =>
    shiftMs === undefined ? [] : [partMs - shiftMs, (parts[index + 1]?.fromMs ?? toMs) - shiftMs],
  )
  // A window that lies in an hour that was left out has nothing beside it: what is read is not drawn.
  return ends.length === 0
    ? { fromMs: fromMs - days * DAY_MS, toMs: toMs - days * DAY_MS }
    : { fromMs: Math.min(...ends), toMs: Math.max(...ends) }
}
