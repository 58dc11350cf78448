import { MIN_ELAPSED_MS } from './counter.ts'
import type { Loop } from './deadline.ts'
import type { Clock } from './runtime.ts'

/**
 * First readings that take longer are not waited for: the sample goes without their rates. Engines up to 24 answer on a beat
 * of one second.
 */
const PATIENCE_MS = 2000

/** When the first readings began and ended. */
export type ReadingTime = { readonly beganAtMs: number; readonly endedAtMs: number }

/** So many times as long as the readings took: when within them a counter was read is not known, and makes a rate wrong by an eighth at most. */
const TIMES_AS_LONG = 8
/** Rates of a hundred milliseconds are good whatever the readings took. */
const LONGEST_REST_MS = 100

/** How long, from now, until a measurement is far enough from the first readings to have rates; 0 when it already is. */
export function restMs(readings: ReadingTime | undefined, nowMs: number): number {
  if (readings === undefined) return 0
  const { beganAtMs, endedAtMs } = readings
  const wantedMs = Math.max(MIN_ELAPSED_MS, Math.min(LONGEST_REST_MS, (endedAtMs - beganAtMs) * TIMES_AS_LONG))
  return Math.max(0, endedAtMs + wantedMs - nowMs)
}

export type FirstReadings = {
  /** Ends with the readings. */
  readonly take: () => Promise<void>
  /** Ends when a measurement has an interval to measure over; at once when no readings were taken. */
  readonly rested: () => Promise<void>
}

/** The readings that the first sample is measured against. A hub that asks right after the start waits for the difference. */
export function createFirstReadings(read: (atMs: number) => Promise<unknown>, loop: Loop, clock: () => Clock): FirstReadings {
  let ended: Promise<void> | undefined
  let readings: ReadingTime | undefined

  const sleep = (delayMs: number): Promise<void> => new Promise((resolve) => loop.after(delayMs, resolve))

  return {
    take: () => {
      const beganAtMs = clock().monotonicMs
      ended = read(beganAtMs).then(() => {
        // The slowest source's moment: an engine answers later than files do.
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
