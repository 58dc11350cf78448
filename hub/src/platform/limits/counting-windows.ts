import type { Clock } from '../clock.ts'

/** Keys in memory; beyond it the oldest are forgotten. */
const MOST_REMEMBERED = 10_000

type Window = { readonly sinceMs: number; readonly count: number }

/** Counts events by key, in windows that begin with the first event of a key. */
export type CountingWindows = {
  /** Counts one event, unless the window of its key is full: then the seconds until that is over. */
  readonly admit: (key: string) => number | undefined
  /** Seconds until the window of a key that is full is over; undefined while it is not full. */
  readonly wait: (key: string) => number | undefined
  readonly add: (key: string, more: number) => void
  readonly forget: (key: string) => void
}

/**
 * At most `most` events of a key in a window. Packages of limiters count by the time of the process, which steps with the
 * system's clock, and set no limit to the number of keys, which strangers choose here.
 */
export function countingWindows(clock: Clock, { most, windowMs }: { readonly most: number; readonly windowMs: number }): CountingWindows {
  const known = new Map<string, Window>()
  const current = (key: string): Window => {
    const nowMs = clock.now()
    const found = known.get(key)
    // A clock that stepped back must not make anybody wait for as long.
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

/** Forgets the oldest entry when there are too many. */
export function forgetOldest(remembered: Map<string, unknown> | Set<string>): void {
  const [oldest] = remembered.keys()
  if (remembered.size > MOST_REMEMBERED && oldest !== undefined) remembered.delete(oldest)
}
