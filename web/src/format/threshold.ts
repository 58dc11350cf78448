import type { NumberFormats } from './formats.ts'
import { numberFormat } from './number-format.ts'
import * as words from '../words/messages.js'

/** Formats a measured value or threshold with its unit, with at most one decimal: `80 %`, or `7.5` without a unit. */
export function formatThreshold(value: number, unit: string, { locale }: NumberFormats): string {
  const number = numberFormat(locale, { maximumFractionDigits: 1 }).format(value)
  return unit === '' ? number : words.with_unit({ number, unit })
}
