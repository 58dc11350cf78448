import type { NumberFormats } from './formats.ts'
import { numberFormat } from './number-format.ts'

const HOUR_SECONDS = 3_600
const DAY_SECONDS = 86_400
/** Uptime in seconds, 172,800 (2 days), from which days are shown instead of hours. */
const DAYS_FROM_SECONDS = 172_800

/** Returns an uptime, given in seconds, as text: `1 hour`, `47 hours` or `2 days`, rounded down. */
export function formatUptime(uptimeSeconds: number, formats: NumberFormats): string {
  return uptimeSeconds < DAYS_FROM_SECONDS
    ? inUnit(Math.floor(uptimeSeconds / HOUR_SECONDS), 'hour', formats)
    : inUnit(Math.floor(uptimeSeconds / DAY_SECONDS), 'day', formats)
}

export const inUnit = (value: number, unit: string, { locale }: NumberFormats): string =>
  numberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' }).format(value)

/** Returns an age, given in ms, as text: `12 sec. ago`, `6 min. ago` or `3 days ago`. A negative age counts as 0. */
export function formatAge(ageMs: number, { locale }: NumberFormats): string {
  const seconds = Math.max(0, Math.floor(ageMs / 1000))
  const formatter = new Intl.RelativeTimeFormat(locale, { style: 'short', numeric: 'always' })
  if (seconds < 60) return formatter.format(-seconds, 'second')
  if (seconds < HOUR_SECONDS) return formatter.format(-Math.floor(seconds / 60), 'minute')
  if (seconds < DAY_SECONDS) return formatter.format(-Math.floor(seconds / HOUR_SECONDS), 'hour')
  return formatter.format(-Math.floor(seconds / DAY_SECONDS), 'day')
}
