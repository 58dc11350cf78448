import type { Formats } from './formats.ts'
import { yearAt } from './year.ts'

const DAY_MS = 86_400_000

/**
 * Name of the precision of displayed times, chosen by the length of a time range. `time` (hour and minute) is for up to a day, `dayAndTime`
 * for up to a week, `day` (date only) for more.
 */
export type SpanDetail = 'time' | 'dayAndTime' | 'day'
/**
 * Name of the precision of a formatted time: `time`, `dayAndTime`, `day`, or with seconds `exact` (including the date) and `second`
 * (without it).
 */
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

/** User's preferences for formatting times: locale, time zone, hour cycle (12 or 24), and current year. */
export type TimeFormats = Pick<Formats, 'locale' | 'timeZone' | 'hours' | 'thisYear'>

/** Returns a copy of the time format preferences, with which every date is displayed with its year. */
export const withYears = (formats: TimeFormats): TimeFormats => ({ ...formats, thisYear: undefined })

/**
 * Returns a time in epoch ms as text by `detail`: `09:30`, `31 Jan, 09:30` or `31 Jan`, or with seconds. The year is added if it is not
 * `thisYear` and `detail` includes the date. The second occurrence of an hour (clocks set back) has the zone: `02:30 CET`.
 */
export function formatTime(at: number, detail: TimeDetail, formats: TimeFormats): string {
  const isZoneNamed = detail !== 'day' && isRepeated(at, formats)
  return timeFormat(detail, formats, { hasYear: isOtherYear(at, formats), isZoneNamed }).format(at)
}

/** Returns a time range, given as two times in epoch ms, as text: `31 Jan, 09:30 – 10:30`. */
export function formatWindow(fromMs: number, toMs: number, formats: TimeFormats): string {
  const ends = [fromMs, toMs]
  const hasYear = ends.some((at) => isOtherYear(at, formats))
  // `Intl`'s `formatRange` treats both passes of a repeated hour as one.
  if (ends.some((at) => isRepeated(at, formats))) return ends.map((at) => formatTime(at, 'dayAndTime', formats)).join(' – ')
  return timeFormat('dayAndTime', formats, { hasYear, isZoneNamed: false }).formatRange(fromMs, toMs)
}

/**
 * Returns true when dates at this time (epoch ms) are displayed with their year: the year in the time zone is not `thisYear`, or `thisYear`
 * is `undefined`.
 */
export const isOtherYear = (at: number, { timeZone, thisYear }: TimeFormats): boolean =>
  thisYear === undefined || yearAt(at, timeZone) !== thisYear

/**
 * Returns `Intl.DateTimeFormat` options for the hour: a 12-hour clock has no leading zero, as in `9:30 AM`, a 24-hour clock has one, as in
 * `09:30`.
 */
function clockOf(locale: string, hours: 12 | 24 | undefined): Intl.DateTimeFormatOptions {
  const own = hours === undefined ? new Intl.DateTimeFormat(locale, { hour: 'numeric' }).resolvedOptions().hour12 : hours === 12
  return { ...(own === true ? { hour: 'numeric' } : {}), ...(hours === undefined ? {} : { hourCycle: hours === 12 ? 'h12' : 'h23' }) }
}

type Parts = { readonly hasYear: boolean; readonly isZoneNamed: boolean }

const timeFormats = new Map<string, Intl.DateTimeFormat>()

/**
 * Returns the cached `Intl.DateTimeFormat` for this precision and these preferences, with the year or the zone's name if wanted. Creating
 * one costs more than a hundred uses.
 */
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
/** List of the numbers of half hours by which clocks may be set back: 1 (Lord Howe Island), 2 (most zones) and 4 (Antarctica). */
const HALF_HOURS = [1, 2, 4]

const repeated = new Map<string, boolean>()

/** Returns true when a time (epoch ms) lies in the second occurrence of an hour that clocks show twice, because they are set back. */
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
