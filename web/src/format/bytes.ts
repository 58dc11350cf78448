import type { Formats, NumberFormats, RateUnit } from './formats.ts'
import { numberFormat } from './number-format.ts'
import * as words from '../words/messages.js'

const byteUnits = ['B', 'kB', 'MB', 'GB', 'TB', 'PB'] as const
const bitUnits = ['bit', 'kbit', 'Mbit', 'Gbit', 'Tbit', 'Pbit'] as const
const BYTE_STEP = 1024
const BIT_STEP = 1000
export const BITS_PER_BYTE = 8

/** Unit for displaying an amount: the amount is divided by `divisor`, such as 1024, and followed by the text `unit`, such as `kB`. */
export type AmountScale = { readonly unit: string; readonly divisor: number }

/**
 * Returns the largest unit of which `bytes` is at least 1, and the number of bytes in it: for 16 GiB, `GB` and 1024³. Units are named kB,
 * MB, GB.
 */
export const byteScale = (bytes: number): AmountScale => scaleOf(bytes, byteUnits, BYTE_STEP)

/**
 * Returns the largest unit of which `bits` is at least 1, and the number of bits in it, in steps of 1000: for 2,000,000, `Mbit` and
 * 1,000,000.
 */
export const bitScale = (bits: number): AmountScale => scaleOf(bits, bitUnits, BIT_STEP)

function scaleOf(amount: number, units: readonly string[], step: number): AmountScale {
  const size = Math.abs(amount)
  let power = 0
  while (power < units.length - 1 && size >= step ** (power + 1)) power++
  return { unit: units[power] ?? '', divisor: step ** power }
}

/** Formats an amount of bytes in the largest fitting unit: `12.3 MB` (steps of 1024). */
export function formatBytes(bytes: number, formats: NumberFormats): string {
  const { unit, divisor } = byteScale(bytes)
  return withUnit(bytes / divisor, unit, formats)
}

/** Formats a rate, given in bytes a second, as `1.4 MB/s` or for the unit bits as `11.7 Mbit/s`. */
function formatRate(bytesPerSecond: number, unit: RateUnit, formats: NumberFormats): string {
  const amount = unit === 'bits' ? bytesPerSecond * BITS_PER_BYTE : bytesPerSecond
  const scale = unit === 'bits' ? bitScale(amount) : byteScale(amount)
  return withUnit(amount / scale.divisor, `${scale.unit}/s`, formats)
}

/** Formats a network rate, given in bytes a second, in the unit of the person's settings (bytes or bits). */
export const formatNetworkRate = (bytesPerSecond: number, formats: Pick<Formats, 'locale' | 'network'>): string =>
  formatRate(bytesPerSecond, formats.network, formats)

/** Formats a number followed by its unit, with up to 2 decimals for small numbers: `12.3 ms`. */
export const withUnit = (value: number, unit: string, formats: NumberFormats): string =>
  words.with_unit({ number: formatAmount(value, formats), unit })

/** Formats a number with 2 decimals below 10, 1 below 100, none from 100 on; trailing zeros are dropped. */
export function formatAmount(value: number, { locale }: NumberFormats): string {
  const decimals = decimalsFor(Math.abs(value))
  return numberFormat(locale, { maximumFractionDigits: decimals }).format(value)
}

function decimalsFor(size: number): number {
  if (size >= 100) return 0
  return size >= 10 ? 1 : 2
}
