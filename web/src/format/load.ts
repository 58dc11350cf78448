import { formatLocale } from './locale.ts'

/** A load average, always with two decimals, as people know it: `1.88`. */
export const formatLoad = (load: number, locale = formatLocale()): string =>
  load.toLocaleString(locale, { minimumFractionDigits: 2, maximumFractionDigits: 2 })
