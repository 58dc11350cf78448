/** The wire calls 2^30 bytes a gigabyte and 2^20 bytes a megabyte. */
export const GIBIBYTE = 1024 ** 3
export const MEBIBYTE = 1024 ** 2

/** Two decimals, half away from zero, as every peer rounds. */
export function round2(value: number): number {
  return (Math.sign(value) * Math.round(Math.abs(value) * 100)) / 100
}

export const toGibibytes = (bytes: number): number => round2(bytes / GIBIBYTE)
export const toMebibytes = (bytes: number): number => round2(bytes / MEBIBYTE)
export const fromGibibytes = (gibibytes: number): number => gibibytes * GIBIBYTE
export const fromMebibytes = (mebibytes: number): number => mebibytes * MEBIBYTE
