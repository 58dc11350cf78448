import type { Clock } from '../clock.ts'

/** Sign-in attempts: so many of one kind, then one more each time the wait is over. */
export type Attempts = {
  /** How long to wait before this attempt, in seconds; undefined when it may be made (and then it counts). */
  readonly refuse: (who: string) => number | undefined
  /** Forgets what counted against somebody who has proved to be right. */
  readonly forget: (who: string) => void
}

const WINDOW_MS = 60_000
const MOST_IN_WINDOW = 20
/** Remembered at once; beyond it the oldest are forgotten. */
const MOST_REMEMBERED = 10_000

/** Twenty attempts a minute for each address and identity: no person notices, a dictionary does. */
export function signInAttempts(clock: Clock): Attempts {
  const made = new Map<string, { sinceMs: number; count: number }>()
  return {
    refuse(who) {
      const nowMs = clock.now()
      const known = made.get(who)
      const current =
        known === undefined || nowMs - known.sinceMs >= WINDOW_MS || nowMs < known.sinceMs ? { sinceMs: nowMs, count: 0 } : known
      if (current.count >= MOST_IN_WINDOW) return Math.max(1, Math.ceil((current.sinceMs + WINDOW_MS - nowMs) / 1000))
      made.delete(who)
      made.set(who, { ...current, count: current.count + 1 })
      const [oldest] = made.keys()
      if (made.size > MOST_REMEMBERED && oldest !== undefined) made.delete(oldest)
      return undefined
    },
    forget: (who) => made.delete(who),
  }
}
