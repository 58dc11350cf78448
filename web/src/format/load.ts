import { formatLocale } from './locale.ts'
import { numberFormat } from './number-format.ts'

/** A load average, always with two decimals, as people know it: `1.88`. */
export const formatLoad = (load: number, locale = formatLocale()): string =>
  numberFormat(locale, { minimumFractionDigits: 2, maximumFractionDigits: 2 }).format(load)
