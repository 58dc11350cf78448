import type { Clock } from '../clock.ts'
import { countingWindows, forgetOldest, type CountingWindows } from './counting-windows.ts'

/** At most `most` events of a key in a window, which starts with its first event. */
export type CountLimit = { readonly name: string; readonly most: number; readonly windowMs: number }

/** The events of a key that count for a limit. */
export type Counted = { readonly limit: CountLimit; readonly key: string }

/** Counts of attempts. A port: in memory for a single hub, in the database for several. */
export type AttemptCounts = {
  /** Counts one event for each, unless a window is full. Then nothing counts, and the result is the seconds to wait. */
  readonly admit: (counted: readonly Counted[]) => Promise<number | undefined>
  /** Reverts the count of one event for each. */
  readonly revert: (counted: readonly Counted[]) => Promise<void>
  /** Sets the count to 0. */
  readonly reset: (counted: Counted) => Promise<void>
  /** Stores a key for at least some weeks or until this process ends. */
  readonly remember: (key: string) => Promise<void>
  readonly isRemembered: (key: string) => Promise<boolean>
}

/** The counts of a single hub. They end with the process. */
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
