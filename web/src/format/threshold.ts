import { formatLocale } from './locale.ts'

/** A measured value or a threshold with its unit, as short as it can be: `80 %`, `7.5`. */
export function formatThreshold(value: number, unit: string): string {
  const number = new Intl.NumberFormat(formatLocale(), { maximumFractionDigits: 1 }).format(value)
  return unit === '' ? number : `${number} ${unit}`
}
