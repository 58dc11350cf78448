export type Reading = { readonly value: number; readonly takenAtMs: number }

/**
 * Shortest interval of a rate. Below it, errors of the clock dominate: files are read within a few ms, and CPU time is counted in ticks of
 * 10 ms, of which at least 4 are needed for a share.
 */
export const MIN_ELAPSED_MS = 40

/**
 * Units per second between two readings of a counter that only grows.
 * `undefined` when it cannot be known: no earlier reading, less than 40 ms passed, or the counter went back in between
 * (reboot, replaced interface, wrap of a narrow counter); that interval is given up rather than guessed.
 */
export const perSecond = (previous: Reading | undefined, current: Reading): number | undefined =>
  previous === undefined ? undefined : grownPerSecond(current.value - previous.value, current.takenAtMs - previous.takenAtMs)

/** The same of how much the counter has grown in how long. */
export function grownPerSecond(grown: number, elapsedMs: number): number | undefined {
  if (elapsedMs < MIN_ELAPSED_MS || grown < 0) return undefined
  return (grown * 1000) / elapsedMs
}
