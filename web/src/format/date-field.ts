import { epochOf, wallTimeAt } from './zoned-time.ts'

const pad = (value: number, digits = 2): string => String(value).padStart(digits, '0')

/** Returns the text of a `datetime-local` input for epoch ms in a time zone: `2026-01-31T09:30`. Without a zone, the browser's is used. */
export function fieldText(at: number, timeZone?: string): string {
  const { year, month, day, hour, minute } = wallTimeAt(at, timeZone)
  return `${[pad(year, 4), pad(month), pad(day)].join('-')}T${pad(hour)}:${pad(minute)}`
}

/** Parses the text of a `datetime-local` input in a time zone (`undefined` = the browser's). Returns epoch ms, `NaN` for invalid text. */
export function momentOf(text: string, timeZone: string | undefined): number {
  const [, ...parts] = /^(\d{4,6})-(\d\d)-(\d\d)T(\d\d):(\d\d)/.exec(text) ?? []
  const [year, month, day, hour, minute] = parts.map(Number)
  if (year === undefined || month === undefined || day === undefined || hour === undefined || minute === undefined) return Number.NaN
  return epochOf({ year, month, day, hour, minute }, timeZone)
}
