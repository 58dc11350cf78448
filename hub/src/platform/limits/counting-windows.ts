import type { Clock } from '../clock.ts'

/**
 * Maximum number of keys, 10,000, in one in-memory counter or set of the rate limits. Beyond it, the oldest key is dropped, and counting
 * for it starts again.
 */
const MOST_REMEMBERED = 10_000

type Window = { readonly sinceMs: number; readonly count: number }

/**
 * Counters of events by key, in memory, for rate limits: `admit` counts an event unless the key's maximum is reached. Each key has a fixed
 * time window that starts with its first event.
 */
export type CountingWindows = {
  /**
   * Counts one event of a key and returns `undefined`. If the key has reached its maximum in the current time window, it counts nothing and
   * returns the seconds until the window ends.
   */
  readonly admit: (key: string) => number | undefined
  /** Returns the seconds until the time window of a key ends, if the key has reached its maximum; otherwise `undefined`. Counts nothing. */
  readonly wait: (key: string) => number | undefined
  readonly add: (key: string, more: number) => void
  readonly forget: (key: string) => void
}

/**
 * Creates {@link CountingWindows} that allow at most `most` events of a key in a time window of `windowMs` (milliseconds). Above 10,000
 * keys the one that was counted longest ago is dropped, because attackers choose the keys.
 */
export function countingWindows(clock: Clock, { most, windowMs }: { readonly most: number; readonly windowMs: number }): CountingWindows {
  const known = new Map<string, Window>()
  const current = (key: string): Window => {
    const nowMs = clock.now()
    const found = known.get(key)
    // A clock that was set back starts a new window, so that it does not extend the wait.
    return found === undefined || nowMs - found.sinceMs >= windowMs || nowMs < found.sinceMs ? { sinceMs: nowMs, count: 0 } : found
  }
  const wait = (key: string): number | undefined => {
    const { sinceMs, count } = current(key)
    return count < most ? undefined : Math.max(1, Math.ceil((sinceMs + windowMs - clock.now()) / 1000))
  }
  const add = (key: string, more: number): void => {
    const { sinceMs, count } = current(key)
    known.delete(key)
    known.set(key, { sinceMs, count: Math.max(0, count + more) })
    forgetOldest(known)
  }
  return {
    admit(key) {
      const seconds = wait(key)
      if (seconds === undefined) add(key, 1)
      return seconds
    },
    wait,
    add,
    forget: (key) => void known.delete(key),
  }
}

/**
 * Removes the oldest entry of a Map or Set if it has more than 10,000 entries. Called after each insertion, so that keys from clients
 * cannot fill the memory.
 */
export function forgetOldest(remembered: Map<string, unknown> | Set<string>): void {
  const [oldest] = remembered.size > MOST_REMEMBERED ? remembered.keys() : []
  if (oldest !== undefined) remembered.delete(oldest)
}
