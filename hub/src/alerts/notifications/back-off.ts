const MINUTE_MS = 60_000
const waitsMinutes = [1, 2, 5, 10, 20] as const
const LONGEST_MINUTES = 30

/** A message that was not delivered within this time expires; milliseconds. */
export const LIFETIME_MS = 24 * 60 * MINUTE_MS

/** Minimum number of attempts. A clock that is set forward must not expire a message after the first failure. */
export const FEWEST_ATTEMPTS = 6

/** Delay before the next attempt, in ms. `attempts` counts failures from 1; `askedMs` is the provider's own minimum delay. */
export function waitAfterMs(attempts: number, askedMs = 0): number {
  const waitMs = (waitsMinutes[attempts - 1] ?? LONGEST_MINUTES) * MINUTE_MS
  return Math.min(Math.max(waitMs, askedMs), LIFETIME_MS)
}
