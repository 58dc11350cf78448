import { formatLocale } from './locale.ts'

const DAY_MS = 86_400_000

/** How finely times are told: the hour and minute within a day, with the day up to a week, the day alone beyond. */
export type TimeDetail = 'time' | 'dayAndTime' | 'day'

export function detailOf(spanMs: number): TimeDetail {
  if (spanMs <= DAY_MS) return 'time'
  return spanMs <= 7 * DAY_MS ? 'dayAndTime' : 'day'
}

const options: Readonly<Record<TimeDetail, Intl.DateTimeFormatOptions>> = {
  time: { hour: '2-digit', minute: '2-digit' },
  dayAndTime: { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' },
  day: { day: 'numeric', month: 'short' },
}

export type TimeFormat = { readonly locale?: string; readonly timeZone?: string }

/** Epoch ms as `09:30`, `31 Jan, 09:30` or `31 Jan`, in the given or the browser's time zone. */
export function formatTime(at: number, detail: TimeDetail, { locale = formatLocale(), timeZone }: TimeFormat = {}): string {
  return new Intl.DateTimeFormat(locale, timeZone === undefined ? options[detail] : { ...options[detail], timeZone }).format(at)
}

/** Both ends of a window, said so that they cannot be misread: `31 Jan, 09:30 – 10:30`. */
export function formatWindow(fromMs: number, toMs: number, { locale = formatLocale(), timeZone }: TimeFormat = {}): string {
  const detail = timeZone === undefined ? options.dayAndTime : { ...options.dayAndTime, timeZone }
  return new Intl.DateTimeFormat(locale, detail).formatRange(fromMs, toMs)
}
