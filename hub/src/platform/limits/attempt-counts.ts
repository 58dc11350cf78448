import type { Clock } from '../clock.ts'
import { countingWindows, forgetOldest, type CountingWindows } from './counting-windows.ts'

/**
 * Rate limit of attempts, such as sign-ins, with the name `name`. It allows at most `most` attempts per key, such as an address, within
 * `windowMs` ms from the key's first attempt. Further ones are refused.
 */
export type CountLimit = { readonly name: string; readonly most: number; readonly windowMs: number }

/**
 * One attempt, such as a sign-in, to count for a rate limit. `limit` is the rate limit; `key`, such as a client address, is the key under
 * which it counts.
 */
export type CountedAttempt = { readonly limit: CountLimit; readonly key: string }

/**
 * Rate limiter of attempts, such as sign-ins: `admit` counts an attempt or refuses it, `revert` and `reset` undo counts. The counts are in
 * memory for a single hub, in the database for several hubs.
 */
export type AttemptCounts = {
  /**
   * Counts an attempt under each entry of the list (limit and key) and resolves to `undefined`. If the limit of any entry is reached,
   * counts it under none and resolves to the seconds to wait.
   */
  readonly admit: (counted: readonly CountedAttempt[]) => Promise<number | undefined>
  /**
   * Subtracts one attempt from the count under each entry of the list (limit and key). Used for an attempt that must not count after all,
   * such as a successful sign-in.
   */
  readonly revert: (counted: readonly CountedAttempt[]) => Promise<void>
  /** Sets the count of the key `counted.key` in the limit `counted.limit` to 0, as after a success. */
  readonly reset: (counted: CountedAttempt) => Promise<void>
  /**
   * Stores a key, such as that of a client that signed in before, so that `isRemembered` resolves to true for it. It lasts 90 days in the
   * database (several hubs). With a single hub it lasts until the process ends or 10,000 newer keys were stored.
   */
  readonly remember: (key: string) => Promise<void>
  readonly isRemembered: (key: string) => Promise<boolean>
}

/** Creates the rate limiter of attempts for a single hub. Its counts are in memory, and lost when the process ends. */
export function memoryCounts(clock: Clock): AttemptCounts {
  const byLimit = new Map<string, CountingWindows>()
  const remembered = new Set<string>()

  function windowsOf(limit: CountLimit): CountingWindows {
    const known = byLimit.get(limit.name) ?? countingWindows(clock, limit)
    byLimit.set(limit.name, known)
    return known
  }

  return {
    async admit(counted) {
      const waits = counted.map(({ limit, key }) => windowsOf(limit).wait(key)).filter((wait) => wait !== undefined)
      if (waits.length > 0) return Math.max(...waits)
      for (const { limit, key } of counted) windowsOf(limit).add(key, 1)
      return undefined
    },
    async revert(counted) {
      for (const { limit, key } of counted) windowsOf(limit).add(key, -1)
    },
    reset: async ({ limit, key }) => windowsOf(limit).forget(key),
    async remember(key) {
      remembered.delete(key)
      remembered.add(key)
      forgetOldest(remembered)
    },
    isRemembered: async (key) => remembered.has(key),
  }
}
