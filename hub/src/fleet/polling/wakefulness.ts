/** How often a hub looks whether it was held up, and by how much more it must have been for everybody to notice. */
export const LOOK_EVERY_MS = 1000
const HELD_UP_MS = 15_000

/** After that agents dial again within ten seconds, and a network that slept, too, comes back. */
const SETTLING_MS = 30_000

export type Clocks = {
  /** Goes on while the machine is suspended, and may be set. */
  readonly wallMs: () => number
  /** Goes on while the process is stopped, but not while the machine is suspended. */
  readonly monotonicMs: () => number
}

export type Wakefulness = {
  /** To be called every {@link LOOK_EVERY_MS}. */
  readonly look: () => void
  /** How long it still takes until silence is the agents' own again; 0 for a hub that is awake. */
  readonly settlingMs: () => number
}

/**
 * A hub that was suspended or stopped lost its agents by its own doing. What it finds right after that says nothing of them:
 * there is no data of the time it slept, and nobody is down for it.
 */
export function wakefulness({ wallMs, monotonicMs }: Clocks): Wakefulness {
  let last = { wallMs: wallMs(), monotonicMs: monotonicMs() }
  let wokeAtMs = Number.NEGATIVE_INFINITY

  function look(): void {
    const now = { wallMs: wallMs(), monotonicMs: monotonicMs() }
    const passedMs = Math.max(now.wallMs - last.wallMs, now.monotonicMs - last.monotonicMs)
    if (passedMs > LOOK_EVERY_MS + HELD_UP_MS) wokeAtMs = now.monotonicMs
    last = now
  }

  return {
    look,
    settlingMs() {
      // A timer of somebody who asks may run before the next look.
      look()
      return Math.max(0, wokeAtMs + SETTLING_MS - monotonicMs())
    },
  }
}
