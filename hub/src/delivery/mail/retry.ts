const FIRST_MS = 10_000
const LONGEST_MS = 3_600_000

/** Delay after a number of failed attempts, in milliseconds: three times as long each time, at most 1 h. */
export function waitAfterMs(attempts: number): number {
  return Math.min(LONGEST_MS, FIRST_MS * 3 ** Math.max(0, attempts - 1))
}
