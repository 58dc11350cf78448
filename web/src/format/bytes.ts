import type { Formats, NumberFormats, RateUnit } from './formats.ts'
import { numberFormat } from './number-format.ts'
import * as words from '../words/messages.js'

const byteUnits = ['B', 'kB', 'MB', 'GB', 'TB', 'PB'] as const
const bitUnits = ['bit', 'kbit', 'Mbit', 'Gbit', 'Tbit', 'Pbit'] as const
const BYTE_STEP = 1024
const BIT_STEP = 1000
export const BITS_PER_BYTE = 8

/** How an amount is written: divided by `divisor`, with `unit` behind it. */
export type AmountScale = { readonly unit: string; readonly divisor: number }

/**
 * The scale in which `bytes` is at least 1. Steps are of 1024 under their customary names, as operating systems count
 * memory and disks: a machine with 16 GiB of memory has "16 GB".
 */
export const byteScale = (bytes: number): AmountScale => scaleOf(bytes, byteUnits, BYTE_STEP)

/** The scale in which `bits` is at least 1, in steps of 1000, as lines are sold. */
export const bitScale = (bits: number): AmountScale => scaleOf(bits, bitUnits, BIT_STEP)

function scaleOf(amount: number, units: readonly string[], step: number): AmountScale {
  const size = Math.abs(amount)
  let power = 0
  while (power < units.length - 1 && size >= step ** (power + 1)) power++
  return { unit: units[power] ?? '', divisor: step ** power }
}

/** `12.3 MB`. */
export function formatBytes(bytes: number, formats: NumberFormats): string {
  const { unit, divisor } = byteScale(bytes)
  return withUnit(bytes / divisor, unit, formats)
}

/** `1.4 MB/s`, or `11.7 Mbit/s`: three significant digits at most, in the scale that fits. */
function formatRate(bytesPerSecond: number, unit: RateUnit, formats: NumberFormats): string {
  const amount = unit === 'bits' ? bytesPerSecond * BITS_PER_BYTE : bytesPerSecond
  const scale = unit === 'bits' ? bitScale(amount) : byteScale(amount)
  return withUnit(amount / scale.divisor, `${scale.unit}/s`, formats)
}

/** A rate of the network, in the chosen unit. */
export const formatNetworkRate = (bytesPerSecond: number, formats: Pick<Formats, 'locale' | 'network'>): string =>
  formatRate(bytesPerSecond, formats.network, formats)

/** `12.3 ms`. */
export const withUnit = (value: number, unit: string, formats: NumberFormats): string =>
  words.with_unit({ number: formatAmount(value, formats), unit })

/** A number with as many decimals as its size deserves: 0.42, 4.2, 42, 420. */
export function formatAmount(value: number, { locale }: NumberFormats): string {
  const decimals = decimalsFor(Math.abs(value))
  return numberFormat(locale, { maximumFractionDigits: decimals }).format(value)
}

function decimalsFor(size: number): number {
  if (size >= 100) return 0
  return size >= 10 ? 1 : 2
}
