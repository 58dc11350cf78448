import type { NumberFormats } from './formats.ts'
import { numberFormat } from './number-format.ts'
import * as words from '../words/messages.js'

/** Returns a measured value or threshold with its unit as text, with at most one decimal: `80 %`, or `7.5` when `unit` is empty. */
export function formatThreshold(value: number, unit: string, { locale }: NumberFormats): string {
  const number = numberFormat(locale, { maximumFractionDigits: 1 }).format(value)
  return unit === '' ? number : words.with_unit({ number, unit })
}
