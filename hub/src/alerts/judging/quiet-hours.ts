import { minuteOfDay } from './zone-clock.ts'

/** When a person is not to be told. Dates are epoch milliseconds; a daily window has the wall-clock times that they were. */
export type QuietWindow = {
  readonly type: 'one-time' | 'daily'
  readonly startMs: number
  readonly endMs: number
}

const MINUTE_MS = 60_000
/** Windows that leave no gap are looked at anew after so long. */
const LONGEST_MS = 7 * 24 * 60 * MINUTE_MS

/**
 * Until when it is quiet, epoch milliseconds; undefined when it is not. Daily windows are wall-clock time in `zone` (IANA), through
 * every change of its clocks: a window that ends at a time that is skipped ends with the jump. Equal start and end is no window.
 */
export function quietUntil(windows: readonly QuietWindow[], atMs: number, zone: string): number | undefined {
  const daily = windows.flatMap((window) => (window.type === 'daily' ? [minutesOf(window, zone)] : []))
  const once = windows.filter(({ type }) => type === 'one-time')
  let untilMs = atMs
  while (untilMs < atMs + LONGEST_MS) {
    const one = once.find(({ startMs, endMs }) => startMs <= untilMs && untilMs < endMs)
    const minute = minuteOfDay(untilMs, zone)
    if (one !== undefined) untilMs = one.endMs
    else if (daily.some((window) => isIn(minute, window))) untilMs = (Math.floor(untilMs / MINUTE_MS) + 1) * MINUTE_MS
    else break
  }
  return untilMs === atMs ? undefined : untilMs
}

type Daily = { readonly start: number; readonly end: number }

const minutesOf = ({ startMs, endMs }: QuietWindow, zone: string): Daily => ({
  start: minuteOfDay(startMs, zone),
  end: minuteOfDay(endMs, zone),
})

const isIn = (minute: number, { start, end }: Daily): boolean =>
  start < end ? minute >= start && minute < end : start > end && (minute >= start || minute < end)
