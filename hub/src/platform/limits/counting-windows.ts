import type { Clock } from '../clock.ts'

/** Maximum keys in memory. Beyond it the oldest are dropped. */
const MOST_REMEMBERED = 10_000

type Window = { readonly sinceMs: number; readonly count: number }

/** Counts events by key, in windows that start with a key's first event. */
export type CountingWindows = {
  /** Counts one event. Returns the seconds to wait instead when the window of the key is full. */
  readonly admit: (key: string) => number | undefined
  /** Seconds until the full window of a key ends; `undefined` while it is not full. */
  readonly wait: (key: string) => number | undefined
  readonly add: (key: string, more: number) => void
  readonly forget: (key: string) => void
}

/**
 * Allows at most `most` events of a key in a window. Limiter packages use the system's clock, which may be set, and do not limit the
 * number of keys, which attackers choose here.
 */
export function countingWindows(clock: Clock, { most, windowMs }: { readonly most: number; readonly windowMs: number }): CountingWindows {
  const known = new Map<string, Window>()
  const current = (key: string): Window => {
    const nowMs = clock.now()
    const found = known.get(key)
    // A clock that was set back must not extend the wait.
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

/** Drops the oldest entry when there are too many. */
export function forgetOldest(remembered: Map<string, unknown> | Set<string>): void {
  const [oldest] = remembered.size > MOST_REMEMBERED ? remembered.keys() : []
  if (oldest !== undefined) remembered.delete(oldest)
}
