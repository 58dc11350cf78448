import { MIN_ELAPSED_MS } from './counter.ts'
import type { Loop } from '../../runtime/deadline.ts'
import type { Clock } from '../../runtime/runtime.ts'

/**
 * Timeout of the first readings: without them the sample has no rates. Engines up to 24 respond at an interval
 * of 1 s.
 */
const PATIENCE_MS = 2000

/** When the first readings began and ended. */
export type ReadingTime = { readonly beganAtMs: number; readonly endedAtMs: number }

/** Wait this many times the duration of the readings. The exact time of each is unknown, so a rate is off by an eighth at most. */
const TIMES_AS_LONG = 8
/** Longest wait: rates over 100 ms are good enough for any duration of the readings. */
const LONGEST_REST_MS = 100

/** Milliseconds from now until a sample is far enough from the first readings to have rates; 0 when it already is. */
export function restMs(readings: ReadingTime | undefined, nowMs: number): number {
  if (readings === undefined) return 0
  const { beganAtMs, endedAtMs } = readings
  const wantedMs = Math.max(MIN_ELAPSED_MS, Math.min(LONGEST_REST_MS, (endedAtMs - beganAtMs) * TIMES_AS_LONG))
  return Math.max(0, endedAtMs + wantedMs - nowMs)
}

export type FirstReadings = {
  /** Takes the first readings and resolves after them. */
  readonly take: () => Promise<void>
  /** Resolves when a sample can have rates; at once when no readings were taken. */
  readonly rested: () => Promise<void>
}

/** Baseline readings for the rates of the first sample. A request right after the start waits until the interval is long enough. */
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
    rested: async () => {
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
        const delayMs = restMs(readings, clock().monotonicMs)
        if (delayMs === 0) break
        await sleep(delayMs)
      }
      ended = undefined
    },
  }
}
