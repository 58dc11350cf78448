const FIRST_MS = 10_000
const LONGEST_MS = 3_600_000

/** How long to wait after the given number of failed attempts, in milliseconds: thrice as long each time, at most an hour. */
export function waitAfterMs(attempts: number): number {
  return Math.min(LONGEST_MS, FIRST_MS * 3 ** Math.max(0, attempts - 1))
}
