import { choices } from './choices.ts'
import { formatLocale } from './locale.ts'

const DAY_MS = 86_400_000

/** How finely times within a span are told: the hour and minute within a day, with the day up to a week, the day alone beyond. */
export type SpanDetail = 'time' | 'dayAndTime' | 'day'
/** `date` has the year too: for what may be old. */
export type TimeDetail = SpanDetail | 'date'

export function detailOf(spanMs: number): SpanDetail {
  if (spanMs <= DAY_MS) return 'time'
  return spanMs <= 7 * DAY_MS ? 'dayAndTime' : 'day'
}

const options: Readonly<Record<TimeDetail, Intl.DateTimeFormatOptions>> = {
  time: { hour: '2-digit', minute: '2-digit' },
  dayAndTime: { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' },
  day: { day: 'numeric', month: 'short' },
  date: { day: 'numeric', month: 'short', year: 'numeric', hour: '2-digit', minute: '2-digit' },
}

export type TimeFormat = { readonly locale?: string; readonly timeZone?: string | undefined; readonly hours?: 12 | 24 | undefined }

/**
 * Epoch ms as `09:30`, `31 Jan, 09:30` or `31 Jan`, in the given or the chosen time zone and clock. An hour that the clocks have for
 * the second time has the zone's name with it: `02:30 CET`.
 */
export const formatTime = (at: number, detail: TimeDetail, format?: TimeFormat): string => timeFormat(detail, format, at).format(at)

/** Both ends of a window, said so that they cannot be misread: `31 Jan, 09:30 – 10:30`. */
export const formatWindow = (fromMs: number, toMs: number, format?: TimeFormat): string => formatRange('dayAndTime', [fromMs, toMs], format)

/** The same with years. */
export const formatDates = (fromMs: number, toMs: number, format?: TimeFormat): string => formatRange('date', [fromMs, toMs], format)

/** `formatRange` of `Intl` takes the two passes of a repeated hour for one. */
function formatRange(detail: TimeDetail, ends: readonly [fromMs: number, toMs: number], format: TimeFormat = choices()): string {
  if (ends.some((at) => isRepeated(at, format))) return ends.map((at) => formatTime(at, detail, format)).join(' – ')
  return timeFormat(detail, format).formatRange(...ends)
}

/** A clock of twelve hours has no zero before its hours: `9:30 AM`, but `09:30`. */
function clockOf(locale: string, hours: 12 | 24 | undefined): Intl.DateTimeFormatOptions {
  const own = hours === undefined ? new Intl.DateTimeFormat(locale, { hour: 'numeric' }).resolvedOptions().hour12 : hours === 12
  return { ...(own === true ? { hour: 'numeric' } : {}), ...(hours === undefined ? {} : { hourCycle: hours === 12 ? 'h12' : 'h23' }) }
}

const formats = new Map<string, Intl.DateTimeFormat>()

/** A time format, made once: making one costs more than a hundred uses, and a table writes thousands of times. */
function timeFormat(
  detail: TimeDetail,
  { locale = formatLocale(), timeZone, hours }: TimeFormat = choices(),
  at?: number,
): Intl.DateTimeFormat {
  const isZoneNamed = at !== undefined && detail !== 'day' && isRepeated(at, { locale, timeZone, hours })
  const key = [detail, locale, timeZone, hours, isZoneNamed].join()
  const known = formats.get(key)
  if (known !== undefined) return known
  const created = new Intl.DateTimeFormat(locale, {
    ...options[detail],
    ...(timeZone === undefined ? {} : { timeZone }),
    ...(detail === 'day' ? {} : clockOf(locale, hours)),
    ...(isZoneNamed ? { timeZoneName: 'short' } : {}),
  })
  formats.set(key, created)
  return created
}

const HALF_HOUR_MS = 1_800_000
/** By so many half hours clocks are set back: one on Lord Howe Island, four in Antarctica. */
const HALF_HOURS = [1, 2, 4]

const repeated = new Map<string, boolean>()

/** Whether the clocks of a zone have shown this time before: they were set back since. */
export function isRepeated(at: number, format: TimeFormat = choices()): boolean {
  const beginMs = Math.floor(at / HALF_HOUR_MS) * HALF_HOUR_MS
  const key = `${format.timeZone} ${beginMs}`
  const known = repeated.get(key)
  if (known !== undefined) return known
  const plain = timeFormat('dayAndTime', format)
  const found = HALF_HOURS.some((count) => plain.format(beginMs) === plain.format(beginMs - count * HALF_HOUR_MS))
  repeated.set(key, found)
  return found
}
