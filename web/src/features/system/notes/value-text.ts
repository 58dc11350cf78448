import type { DefinedField } from '../../../api/system-notes.ts'
import type { NumberFormats } from '../../../format/formats.ts'
import { numberFormat } from '../../../format/number-format.ts'

/**
 * Returns a system's value of an admin-defined field as text, such as `31 Jan 2026` for a date. A price has 2 decimals; the field's unit or
 * currency follows, except for a date.
 */
export function valueText({ kind, unit }: DefinedField, value: string | number, { locale }: NumberFormats): string {
  if (kind === 'date') return dayText(String(value), locale)
  if (typeof value === 'string') return unit === '' ? value : `${value} ${unit}`
  const digits = kind === 'price' ? { minimumFractionDigits: 2, maximumFractionDigits: 2 } : { maximumFractionDigits: 6 }
  const number = numberFormat(locale, digits).format(value)
  return unit === '' ? number : `${number} ${unit}`
}

/**
 * Returns a day such as `2026-01-31` as text in the locale, such as `31 Jan 2026`; a text that is no day unchanged. It is formatted in UTC,
 * so that it is the same day in every time zone.
 */
function dayText(day: string, locale: string): string {
  const at = Date.parse(`${day}T00:00:00Z`)
  return Number.isNaN(at) ? day : new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' }).format(at)
}
