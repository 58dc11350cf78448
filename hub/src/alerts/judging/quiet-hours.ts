import { minuteOfDay } from './zone-clock.ts'

/** Quiet hours: a time window without notifications. Both ends are epoch ms; a daily window uses only their times of day. */
export type QuietWindow = {
  readonly type: 'one-time' | 'daily'
  readonly startMs: number
  readonly endMs: number
}

const MINUTE_MS = 60_000
/**
 * Maximum time in ms (7 days) over which the search for the end of quiet hours joins windows without a gap. Afterwards the caller evaluates
 * them again.
 */
const LONGEST_MS = 7 * 24 * 60 * MINUTE_MS

/**
 * Returns when the quiet hours at time `atMs` end, in epoch ms. Windows without a gap are followed for 7 days; a longer one-time window
 * gives its own end. `undefined` when `atMs` is outside of quiet hours. Daily windows are times of day in the IANA time zone `zone`.
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
