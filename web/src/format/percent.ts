import type { NumberFormats } from './formats.ts'
import { numberFormat } from './number-format.ts'

/** `40.6 %`, from percent 0–100. */
export function formatPercent(percent: number, { locale }: NumberFormats, decimals = 1): string {
  return `${numberFormat(locale, { minimumFractionDigits: decimals, maximumFractionDigits: decimals }).format(percent)} %`
}
