import type { NumberFormats } from './formats.ts'
import { numberFormat } from './number-format.ts'
import * as words from '../words/messages.js'

/** Returns a percentage, given from 0 to 100, as text with a fixed number of decimals, 1 by default: `40.6 %`. */
export function formatPercent(percent: number, { locale }: NumberFormats, decimals = 1): string {
  const number = numberFormat(locale, { minimumFractionDigits: decimals, maximumFractionDigits: decimals }).format(percent)
  return words.with_unit({ number, unit: '%' })
}
