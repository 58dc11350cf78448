import { formatLocale } from './locale.ts'
import { numberFormat } from './number-format.ts'

/** `40.6 %`, from percent 0–100. */
export function formatPercent(percent: number, decimals = 1, locale = formatLocale()): string {
  return `${numberFormat(locale, { minimumFractionDigits: decimals, maximumFractionDigits: decimals }).format(percent)} %`
}
