export type Reading = { readonly value: number; readonly takenAtMs: number }

/**
 * Minimum time between two readings for a rate, in ms; with less there is no rate. Files are read within a few ms, and CPU time is counted
 * in ticks of 10 ms, so the error would be large.
 */
export const MIN_ELAPSED_MS = 40

/**
 * Returns the rate per second between two readings of a monotonic counter. `undefined` without a previous reading, after less than 40 ms,
 * or when the counter went back.
 */
export const perSecond = (previous: Reading | undefined, current: Reading): number | undefined =>
  previous === undefined ? undefined : grownPerSecond(current.value - previous.value, current.takenAtMs - previous.takenAtMs)

/**
 * Returns the rate per second of a counter that grew by `grown` within `elapsedMs`. `undefined` after less than 40 ms or for a negative
 * growth.
 */
export function grownPerSecond(grown: number, elapsedMs: number): number | undefined {
  if (elapsedMs < MIN_ELAPSED_MS || grown < 0) return undefined
  return (grown * 1000) / elapsedMs
}
