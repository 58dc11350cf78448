import { formatLocale } from './locale.ts'
import { numberFormat } from './number-format.ts'

const units = ['B', 'kB', 'MB', 'GB', 'TB', 'PB'] as const
const STEP = 1024

/** How an amount of bytes is written: divided by `divisor`, with `unit` behind it. */
export type ByteScale = { readonly unit: string; readonly divisor: number }

/**
 * The scale in which `bytes` is at least 1. Steps are of 1024 under their customary names, as operating systems count
 * memory and disks: a machine with 16 GiB of memory has "16 GB".
 */
export function byteScale(bytes: number): ByteScale {
  const size = Math.abs(bytes)
  let power = 0
  while (power < units.length - 1 && size >= STEP ** (power + 1)) power++
  return { unit: units[power] ?? 'B', divisor: STEP ** power }
}

/** `1.4 GB`: three significant digits at most, in the scale that fits or in the given one. */
function formatBytes(bytes: number, scale: ByteScale = byteScale(bytes), locale = formatLocale()): string {
  return `${formatAmount(bytes / scale.divisor, locale)} ${scale.unit}`
}

export const formatBytesPerSecond = (bytesPerSecond: number, scale?: ByteScale, locale?: string): string =>
  `${formatBytes(bytesPerSecond, scale, locale)}/s`

/** A number with as many decimals as its size deserves: 0.42, 4.2, 42, 420. */
export function formatAmount(value: number, locale = formatLocale()): string {
  const decimals = decimalsFor(Math.abs(value))
  return numberFormat(locale, { maximumFractionDigits: decimals }).format(value)
}

function decimalsFor(size: number): number {
  if (size >= 100) return 0
  return size >= 10 ? 1 : 2
}
