import type { NumberFormats } from './formats.ts'
import { numberFormat } from './number-format.ts'

/** Load average, 1,000, from which compact notation is used, such as `1.2K`; lower ones have two decimals. */
const SHORT_FROM = 1000

/** Returns a load average as text with two decimals, `1.88`, or compactly from 1,000 on. */
export const formatLoad = (load: number, { locale }: NumberFormats): string =>
  numberFormat(locale, load < SHORT_FROM ? { minimumFractionDigits: 2, maximumFractionDigits: 2 } : { notation: 'compact' }).format(load)
