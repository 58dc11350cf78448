import { formatTime, type TimeFormats } from './time.ts'

/** Returns a time of day such as `22:00` as text with the user's hour cycle, such as `10:00 PM`. */
export const formatTimeOfDay = (time: string, formats: TimeFormats): string =>
  formatTime(Date.parse(`1970-01-01T${time}Z`), 'time', { ...formats, timeZone: 'UTC' })
