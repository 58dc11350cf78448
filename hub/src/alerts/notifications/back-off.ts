const MINUTE_MS = 60_000
const waitsMinutes = [1, 2, 5, 10, 20] as const
const LONGEST_MINUTES = 30

/** How long a message is worth sending, in milliseconds. */
export const LIFETIME_MS = 24 * 60 * MINUTE_MS

/** A message is tried this often at least: a clock that is set forward must not end it after the first failure. */
export const FEWEST_ATTEMPTS = 6

/** How long to wait after a number of failed attempts, from 1, in milliseconds; longer where the provider asks for it. */
export function waitAfterMs(attempts: number, askedMs = 0): number {
  const waitMs = (waitsMinutes[attempts - 1] ?? LONGEST_MINUTES) * MINUTE_MS
  return Math.min(Math.max(waitMs, askedMs), LIFETIME_MS)
}
