/** The wire calls 2^30 bytes a gigabyte and 2^20 bytes a megabyte. */
export const GIBIBYTE = 1024 ** 3
export const MEBIBYTE = 1024 ** 2

/** Two decimals, half away from zero, as every peer rounds. */
export function round2(value: number): number {
  // Whole ones are most, and each call of a function costs the agent's small engine more than the sum.
  if (value >>> 0 === value) return value
  return value < 0 ? -round(-value * 100) / 100 : round(value * 100) / 100
}

const { round } = Math

export const toGibibytes = (bytes: number): number => round2(bytes / GIBIBYTE)
export const toMebibytes = (bytes: number): number => round2(bytes / MEBIBYTE)
export const fromGibibytes = (gibibytes: number): number => gibibytes * GIBIBYTE
export const fromMebibytes = (mebibytes: number): number => mebibytes * MEBIBYTE
