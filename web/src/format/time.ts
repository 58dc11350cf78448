import type { Formats } from './formats.ts'
import { yearAt } from './year.ts'

const DAY_MS = 86_400_000

/** How finely times within a time range are written: the hour and minute within a day, with the day up to a week, the day alone beyond. */
export type SpanDetail = 'time' | 'dayAndTime' | 'day'
/** To the second: `exact` with the day, for lines that are read one against another; `second` without, for what just happened. */
export type TimeDetail = SpanDetail | 'exact' | 'second'

export function detailOf(spanMs: number): SpanDetail {
  if (spanMs <= DAY_MS) return 'time'
  return spanMs <= 7 * DAY_MS ? 'dayAndTime' : 'day'
}

const options: Readonly<Record<TimeDetail, Intl.DateTimeFormatOptions>> = {
  time: { hour: '2-digit', minute: '2-digit' },
  dayAndTime: { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' },
  day: { day: 'numeric', month: 'short' },
  second: { hour: '2-digit', minute: '2-digit', second: '2-digit' },
  exact: { day: '2-digit', month: 'short', hour: '2-digit', minute: '2-digit', second: '2-digit' },
}

/** The part of the formats that times need. */
export type TimeFormats = Pick<Formats, 'locale' | 'timeZone' | 'hours' | 'thisYear'>

/** Writes the year in every date: for lists that reach back years. */
export const withYears = (formats: TimeFormats): TimeFormats => ({ ...formats, thisYear: undefined })

/**
 * Epoch ms as `09:30`, `31 Jan, 09:30` or `31 Jan`; a date of another year than this one has its year: `31 Jan 2025`. An hour that the
 * clocks have for the second time has the zone's name with it: `02:30 CET`.
 */
export function formatTime(at: number, detail: TimeDetail, formats: TimeFormats): string {
  const isZoneNamed = detail !== 'day' && isRepeated(at, formats)
  return timeFormat(detail, formats, { hasYear: isOtherYear(at, formats), isZoneNamed }).format(at)
}

/** Both ends of a window, written so that they cannot be misread: `31 Jan, 09:30 – 10:30`. */
export function formatWindow(fromMs: number, toMs: number, formats: TimeFormats): string {
  const ends = [fromMs, toMs]
  const hasYear = ends.some((at) => isOtherYear(at, formats))
  // `formatRange` of `Intl` takes the two passes of a repeated hour for one.
  if (ends.some((at) => isRepeated(at, formats))) return ends.map((at) => formatTime(at, 'dayAndTime', formats)).join(' – ')
  return timeFormat('dayAndTime', formats, { hasYear, isZoneNamed: false }).formatRange(fromMs, toMs)
}

/** Whether dates at this time are written with their year. */
export const isOtherYear = (at: number, { timeZone, thisYear }: TimeFormats): boolean =>
  thisYear === undefined || yearAt(at, timeZone) !== thisYear

/** A clock of twelve hours has no zero before its hours: `9:30 AM`, but `09:30`. */
function clockOf(locale: string, hours: 12 | 24 | undefined): Intl.DateTimeFormatOptions {
  const own = hours === undefined ? new Intl.DateTimeFormat(locale, { hour: 'numeric' }).resolvedOptions().hour12 : hours === 12
  return { ...(own === true ? { hour: 'numeric' } : {}), ...(hours === undefined ? {} : { hourCycle: hours === 12 ? 'h12' : 'h23' }) }
}

type Parts = { readonly hasYear: boolean; readonly isZoneNamed: boolean }

const timeFormats = new Map<string, Intl.DateTimeFormat>()

/** A time format, made once: making one costs more than a hundred uses, and a table writes thousands of times. */
function timeFormat(detail: TimeDetail, { locale, timeZone, hours }: TimeFormats, { hasYear, isZoneNamed }: Parts): Intl.DateTimeFormat {
  const key = [detail, locale, timeZone, hours, hasYear, isZoneNamed].join()
  const known = timeFormats.get(key)
  if (known !== undefined) return known
  const created = new Intl.DateTimeFormat(locale, {
    ...options[detail],
    ...(timeZone === undefined ? {} : { timeZone }),
    ...(hasYear && detail !== 'time' && detail !== 'second' ? { year: 'numeric' } : {}),
    ...(detail === 'day' ? {} : clockOf(locale, hours)),
    ...(isZoneNamed ? { timeZoneName: 'short' } : {}),
  })
  timeFormats.set(key, created)
  return created
}

const HALF_HOUR_MS = 1_800_000
/** By so many half hours clocks are set back: one on Lord Howe Island, four in Antarctica. */
const HALF_HOURS = [1, 2, 4]

const repeated = new Map<string, boolean>()

/** Whether the clocks of a zone have shown this time before: they were set back since. */
export function isRepeated(at: number, formats: TimeFormats): boolean {
  const beginMs = Math.floor(at / HALF_HOUR_MS) * HALF_HOUR_MS
  const key = `${formats.timeZone} ${beginMs}`
  const known = repeated.get(key)
  if (known !== undefined) return known
  const plain = timeFormat('dayAndTime', formats, { hasYear: false, isZoneNamed: false })
  const found = HALF_HOURS.some((count) => plain.format(beginMs) === plain.format(beginMs - count * HALF_HOUR_MS))
  repeated.set(key, found)
  return found
}
