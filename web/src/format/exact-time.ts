import { isOtherYear, type TimeFormats } from './time.ts'

const known = new Map<string, Intl.DateTimeFormat>()

/** Epoch ms to the second, `31 Jan, 09:30:12`: logs are read line against line. A date of another year has its year. */
export function formatExactTime(at: number, formats: TimeFormats): string {
  const { locale, timeZone, hours } = formats
  const hasYear = isOtherYear(at, formats)
  const key = [locale, timeZone, hours, hasYear].join()
  const format =
    known.get(key) ??
    new Intl.DateTimeFormat(locale, {
      day: '2-digit',
      month: 'short',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
      ...(hasYear ? { year: 'numeric' } : {}),
      ...(timeZone === undefined ? {} : { timeZone }),
      ...(hours === undefined ? {} : { hourCycle: hours === 12 ? 'h12' : 'h23' }),
    })
  known.set(key, format)
  return format.format(at)
}
