import type { Clock } from '../clock.ts'
import { countingWindows, forgetOldest, type CountingWindows } from './counting-windows.ts'

/** Limit of events, such as sign-in attempts: at most `most` events per key in a time window, which starts with the key's first event. */
export type CountLimit = { readonly name: string; readonly most: number; readonly windowMs: number }

/** An event to count: its limit and its key, such as an address. */
export type Counted = { readonly limit: CountLimit; readonly key: string }

/** Counters of attempts for rate limits. In memory for a single hub, in the database for several hubs. */
export type AttemptCounts = {
  /**
   * Counts one event for each entry and resolves with `undefined`. If a window is full, counts none and resolves with the seconds to wait.
   */
  readonly admit: (counted: readonly Counted[]) => Promise<number | undefined>
  /** Subtracts one event for each entry, which `admit` had counted. */
  readonly revert: (counted: readonly Counted[]) => Promise<void>
  /** Sets the number of counted attempts of a key to 0. */
  readonly reset: (counted: Counted) => Promise<void>
  /** Stores a key for 90 days, or in memory until this process ends. `isRemembered` checks for it. */
  readonly remember: (key: string) => Promise<void>
  readonly isRemembered: (key: string) => Promise<boolean>
}

/** Creates the counters of a single hub, in memory. They are lost when the process ends. */
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
