import { MIN_ELAPSED_MS } from './counter.ts'
import type { Loop } from '../../runtime/deadline.ts'
import type { Clock } from '../../runtime/runtime.ts'

/**
 * Maximum wait of a sample for the first readings, without which it has no rates. Docker engines up to 24 respond at an interval of 1 s.
 */
const PATIENCE_MS = 2000

/** Monotonic times at which the first readings began and ended. */
export type ReadingTime = { readonly beganAtMs: number; readonly endedAtMs: number }

/**
 * Factor of the wait over the duration of the readings. The exact time of each reading is unknown, so a rate is off by an eighth at most.
 */
const TIMES_AS_LONG = 8
/** Maximum wait after the first readings, in ms. Rates over 100 ms are accurate enough. */
const LONGEST_REST_MS = 100

/** Returns the time in ms until a sample can have rates, after the first readings; 0 when it already can. */
export function remainingWaitMs(readings: ReadingTime | undefined, nowMs: number): number {
  if (readings === undefined) return 0
  const { beganAtMs, endedAtMs } = readings
  const wantedMs = Math.max(MIN_ELAPSED_MS, Math.min(LONGEST_REST_MS, (endedAtMs - beganAtMs) * TIMES_AS_LONG))
  return Math.max(0, endedAtMs + wantedMs - nowMs)
}

export type FirstReadings = {
  /** Takes the first readings of all collectors, the baselines for rates. Resolves after them. */
  readonly take: () => Promise<void>
  /** Resolves when a sample can have rates; at once when no readings were taken. */
  readonly ready: () => Promise<void>
}

/**
 * Creates the baseline readings for the rates of the first sample. A request right after the start waits until the interval is long enough.
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
