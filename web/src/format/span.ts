import { formatUptime, inUnit } from './duration.ts'
import type { NumberFormats } from './formats.ts'

const HOUR_SECONDS = 3_600

/** Returns a duration, given in ms, as text: `12 seconds`, `6 minutes`, `3 hours` or `30 days`, rounded down. */
export function formatSpan(spanMs: number, formats: NumberFormats): string {
  const seconds = Math.max(0, Math.floor(spanMs / 1000))
  if (seconds < 60) return inUnit(seconds, 'second', formats)
  return seconds < HOUR_SECONDS ? inUnit(Math.floor(seconds / 60), 'minute', formats) : formatUptime(seconds, formats)
}
