/** Number of bytes in a "gigabyte" of the agent protocol, which is a GiB: 2^30. A "megabyte" there is 2^20 bytes. */
export const GIBIBYTE = 1024 ** 3
export const MEBIBYTE = 1024 ** 2

/** Returns a number rounded to two decimals, half away from zero, as all hubs and agents do. */
export function round2(value: number): number {
  // Most numbers are integers, and a function call costs the agent's small engine more than the arithmetic.
  if (value >>> 0 === value) return value
  return value < 0 ? -round(-value * 100) / 100 : round(value * 100) / 100
}

const { round } = Math

export const toGibibytes = (bytes: number): number => round2(bytes / GIBIBYTE)
export const toMebibytes = (bytes: number): number => round2(bytes / MEBIBYTE)
export const fromGibibytes = (gibibytes: number): number => gibibytes * GIBIBYTE
export const fromMebibytes = (mebibytes: number): number => mebibytes * MEBIBYTE
