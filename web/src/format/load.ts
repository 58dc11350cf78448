import type { NumberFormats } from './formats.ts'
import { numberFormat } from './number-format.ts'

/** A load from here on is written short, so that it fits its column. */
const SHORT_FROM = 1000

/** A load average, with two decimals, as people know it: `1.88`. */
export const formatLoad = (load: number, { locale }: NumberFormats): string =>
  numberFormat(locale, load < SHORT_FROM ? { minimumFractionDigits: 2, maximumFractionDigits: 2 } : { notation: 'compact' }).format(load)
