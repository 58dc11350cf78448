import { formatLocale } from './locale.ts'

/** `40.6 %`, from percent 0–100. */
export function formatPercent(percent: number, decimals = 1, locale = formatLocale()): string {
  return `${percent.toLocaleString(locale, { minimumFractionDigits: decimals, maximumFractionDigits: decimals })} %`
}
