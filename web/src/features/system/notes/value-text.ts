import type { DefinedField } from '../../../api/system-notes.ts'
import type { NumberFormats } from '../../../format/formats.ts'
import { numberFormat } from '../../../format/number-format.ts'

/**
 * Formats a system's value of an admin-defined field for display: a date as `31 Jan 2026`, a price with 2 decimals; the field's unit or
 * currency follows.
 */
export function valueText({ kind, unit }: DefinedField, value: string | number, { locale }: NumberFormats): string {
  if (kind === 'date') return dayText(String(value), locale)
  if (typeof value === 'string') return unit === '' ? value : `${value} ${unit}`
  const digits = kind === 'price' ? { minimumFractionDigits: 2, maximumFractionDigits: 2 } : { maximumFractionDigits: 6 }
  const number = numberFormat(locale, digits).format(value)
  return unit === '' ? number : `${number} ${unit}`
}

/** Formats a day such as `2026-01-31` in the locale. It is parsed and formatted in UTC, so that it is the same day in every time zone. */
function dayText(day: string, locale: string): string {
  const at = Date.parse(`${day}T00:00:00Z`)
  return Number.isNaN(at) ? day : new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' }).format(at)
}
