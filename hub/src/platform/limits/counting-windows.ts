import type { Clock } from '../clock.ts'

/** Remembered at once; beyond it the oldest are forgotten. */
const MOST_REMEMBERED = 10_000

type Window = { readonly sinceMs: number; readonly count: number }

/** How often something happened, by key, in a window that begins with its first time and is forgotten when it is over. */
export type CountingWindows = {
  /** Seconds until the window of a key that is full is over; undefined while there is room. */
  readonly wait: (key: string) => number | undefined
  readonly add: (key: string, more: number) => void
  readonly forget: (key: string) => void
}

export function countingWindows(clock: Clock, { most, windowMs }: { readonly most: number; readonly windowMs: number }): CountingWindows {
  const known = new Map<string, Window>()
  const current = (key: string): Window => {
    const nowMs = clock.now()
    const found = known.get(key)
    // A clock that stepped back would keep somebody waiting for as long as it did.
    return found === undefined || nowMs - found.sinceMs >= windowMs || nowMs < found.sinceMs ? { sinceMs: nowMs, count: 0 } : found
  }
  return {
    wait(key) {
      const { sinceMs, count } = current(key)
      return count < most ? undefined : Math.max(1, Math.ceil((sinceMs + windowMs - clock.now()) / 1000))
    },
    add(key, more) {
      const { sinceMs, count } = current(key)
      known.delete(key)
      known.set(key, { sinceMs, count: Math.max(0, count + more) })
      forgetOldest(known)
    },
    forget: (key) => void known.delete(key),
  }
}

/** Forgets what was put in first when there is too much. */
export function forgetOldest(remembered: Map<string, unknown> | Set<string>): void {
  const [oldest] = remembered.keys()
  if (remembered.size > MOST_REMEMBERED && oldest !== undefined) remembered.delete(oldest)
}
