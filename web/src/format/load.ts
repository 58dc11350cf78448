import type { NumberFormats } from './formats.ts'
import { numberFormat } from './number-format.ts'

/** Number: load average from which compact notation is used, 1000. */
const SHORT_FROM = 1000

/** Formats a load average with two decimals, `1.88`, or compactly from 1000 on. */
export const formatLoad = (load: number, { locale }: NumberFormats): string =>
  numberFormat(locale, load < SHORT_FROM ? { minimumFractionDigits: 2, maximumFractionDigits: 2 } : { notation: 'compact' }).format(load)
