import type { DefinedField } from '../../../api/system-notes.ts'
import type { NumberFormats } from '../../../format/formats.ts'
import { numberFormat } from '../../../format/number-format.ts'

/** Returns the value of a defined field as text for display: a date such as `31 Jan 2026`, a number with the field's unit. */
export function valueText({ kind, unit }: DefinedField, value: string | number, { locale }: NumberFormats): string {
  if (kind === 'date') return dayText(String(value), locale)
  if (typeof value === 'string') return unit === '' ? value : `${value} ${unit}`
  const digits = kind === 'price' ? { minimumFractionDigits: 2, maximumFractionDigits: 2 } : { maximumFractionDigits: 6 }
  const number = numberFormat(locale, digits).format(value)
  return unit === '' ? number : `${number} ${unit}`
}

/** Formats a day without a time. It is the same day in each time zone, so it is read and written in UTC. */
function dayText(day: string, locale: string): string {
  const at = Date.parse(`${day}T00:00:00Z`)
  return Number.isNaN(at) ? day : new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' }).format(at)
}
