import type { NumberFormats } from './formats.ts'
import { numberFormat } from './number-format.ts'

/** A load average, always with two decimals, as people know it: `1.88`. */
export const formatLoad = (load: number, { locale }: NumberFormats): string =>
  numberFormat(locale, { minimumFractionDigits: 2, maximumFractionDigits: 2 }).format(load)
