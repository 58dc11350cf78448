import { MIN_ELAPSED_MS } from './counter.ts'
import type { Loop } from '../../runtime/deadline.ts'
import type { Clock } from '../../runtime/runtime.ts'

/**
 * Maximum time in ms, 2 s, that the first sample waits for the initial readings, without which it has no rates. Docker up to version 24
 * responds at an interval of 1 s.
 */
const PATIENCE_MS = 2000

/** Monotonic times in ms at which the initial readings of all collectors, at the start of the agent, began and ended. */
export type ReadingTime = { readonly beganAtMs: number; readonly endedAtMs: number }

/**
 * Factor, 8. The first sample waits 8 times as long as the initial readings took, at least 40 and at most 100 ms. As the moment of each
 * reading within that time is unknown, a shorter wait would falsify rates by more than an eighth.
 */
const TIMES_AS_LONG = 8
/** Maximum wait in ms, 100, between the initial readings and the first sample. Rates over 100 ms are accurate enough. */
const LONGEST_REST_MS = 100

/**
 * Returns the time in ms from `nowMs` until enough time has passed since the initial readings for rates; 0 when it has, or without initial
 * readings (`undefined`).
 */
export function remainingWaitMs(readings: ReadingTime | undefined, nowMs: number): number {
  if (readings === undefined) return 0
  const { beganAtMs, endedAtMs } = readings
  const wantedMs = Math.max(MIN_ELAPSED_MS, Math.min(LONGEST_REST_MS, (endedAtMs - beganAtMs) * TIMES_AS_LONG))
  return Math.max(0, endedAtMs + wantedMs - nowMs)
}

export type FirstReadings = {
  /**
   * Takes initial readings of all collectors at the start of the agent, from which the first sample's rates are computed. Resolves when
   * they are done.
   */
  readonly take: () => Promise<void>
  /**
   * Resolves when enough time has passed since the initial readings for the first sample to have rates. It waits at most 2 s for readings
   * that have not ended. Resolves at once when none were taken, and on every later call.
   */
  readonly ready: () => Promise<void>
}

/**
 * Creates the functions that take initial readings at the start of the agent. They also make the first sample wait until enough time has
 * passed since these readings for rates.
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
