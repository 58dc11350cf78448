import { MIN_ELAPSED_MS } from './counter.ts'
import type { Loop } from './deadline.ts'
import type { Clock } from './runtime.ts'

/**
 * First readings that take longer are not waited for: the sample goes without their rates. Engines up to 24 answer on a beat
 * of one second.
 */
const PATIENCE_MS = 2000

/** How long, from now, until a measurement is far enough from the first readings to have rates; 0 when it already is. */
export const restMs = (readAtMs: number | undefined, nowMs: number): number =>
  readAtMs === undefined ? 0 : Math.max(0, readAtMs + MIN_ELAPSED_MS - nowMs)

export type FirstReadings = {
  /** Ends with the readings. */
  readonly take: () => Promise<void>
  /** Ends when a measurement has an interval to measure over; at once when no readings were taken. */
  readonly rested: () => Promise<void>
}

/** The readings that the first sample is measured against. A hub that asks right after the start waits for the difference. */
export function createFirstReadings(read: (atMs: number) => Promise<unknown>, loop: Loop, clock: () => Clock): FirstReadings {
  let ended: Promise<void> | undefined
  let readAtMs: number | undefined

  const sleep = (delayMs: number): Promise<void> => new Promise((resolve) => loop.after(delayMs, resolve))

  return {
    take: () => {
      ended = read(clock().monotonicMs).then(() => {
        // The slowest source's moment: an engine answers later than files do.
        readAtMs = clock().monotonicMs
      })
      return ended
    },
    rested: async () => {
      if (ended === undefined) return
      if (readAtMs === undefined) {
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
        const delayMs = restMs(readAtMs, clock().monotonicMs)
        if (delayMs === 0) break
        await sleep(delayMs)
      }
      ended = undefined
    },
  }
}
