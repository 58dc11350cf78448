import { MIN_ELAPSED_MS } from './counter.ts'
import type { Loop } from '../../runtime/deadline.ts'
import type { Clock } from '../../runtime/runtime.ts'

/**
 * Maximum time in ms that the first sample waits for the readings before it, without which it has no rates. Docker up to version 24
 * responds at an interval of 1 s.
 */
const PATIENCE_MS = 2000

/** Monotonic times at which the first readings of all collectors began and ended. */
export type ReadingTime = { readonly beganAtMs: number; readonly endedAtMs: number }

/**
 * Number of times that the wait is as long as the first readings took: 8. The exact time of each reading is unknown, so a rate is off by an
 * eighth at most.
 */
const TIMES_AS_LONG = 8
/** Maximum wait in ms between the first readings and the first sample. Rates over 100 ms are accurate enough. */
const LONGEST_REST_MS = 100

/** Returns the time in ms until the first sample can have rates; 0 when it already can. */
export function remainingWaitMs(readings: ReadingTime | undefined, nowMs: number): number {
  if (readings === undefined) return 0
  const { beganAtMs, endedAtMs } = readings
  const wantedMs = Math.max(MIN_ELAPSED_MS, Math.min(LONGEST_REST_MS, (endedAtMs - beganAtMs) * TIMES_AS_LONG))
  return Math.max(0, endedAtMs + wantedMs - nowMs)
}

export type FirstReadings = {
  /** Takes the first readings of all collectors, from which the first rates are computed. Resolves after them. */
  readonly take: () => Promise<void>
  /** Returns a promise that resolves when the first sample can have rates; at once when no first readings were taken. */
  readonly ready: () => Promise<void>
}

/**
 * Creates the functions that take the first readings at the start of the agent. A request right afterwards waits until the interval is long
 * enough for rates.
 */
export function createFirstReadings(read: (atMs: number) => Promise<unknown>, loop: Loop, clock: () => Clock): FirstReadings {
  let ended: Promise<void> | undefined
  let readings: ReadingTime | undefined

  const sleep = (delayMs: number): Promise<void> => new Promise((resolve) => loop.after(delayMs, resolve))

  return {
    take: () => {
      const beganAtMs = clock().monotonicMs
      ended = read(beganAtMs).then(() => {
        // The time of the slowest source: an engine responds later than files.
        readings = { beganAtMs, endedAtMs: clock().monotonicMs }
      })
      return ended
    },
    ready: async () => {
      if (ended === undefined) return
      if (readings === undefined) {
        const first = ended
        await new Promise<void>((resolve) => {
          const cancel = loop.after(PATIENCE_MS, resolve)
          void first.then(() => {
            cancel()
            resolve()
          })
        })
      }
      // A timer may fire a moment early.
      for (;;) {
        const delayMs = remainingWaitMs(readings, clock().monotonicMs)
        if (delayMs === 0) break
        await sleep(delayMs)
      }
      ended = undefined
    },
  }
}
