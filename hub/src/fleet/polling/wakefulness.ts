/** Interval of the check for a suspended hub, and the delay beyond it that counts as a suspension. */
export const LOOK_EVERY_MS = 1000
const HELD_UP_MS = 15_000

/** Agents reconnect within 10 s after a suspension, and a suspended network needs some time too. */
const SETTLING_MS = 30_000

export type Clocks = {
  /** Wall clock. It advances while the machine is suspended, and it may be set. */
  readonly wallMs: () => number
  /** Monotonic clock. It advances while the process is stopped, but not while the machine is suspended. */
  readonly monotonicMs: () => number
}

export type Wakefulness = {
  /** Call this every {@link LOOK_EVERY_MS}. */
  readonly look: () => void
  /** Milliseconds until missing responses count against the agents again. 0 when the hub was not suspended. */
  readonly settlingMs: () => number
}

/**
 * Detects that the hub was suspended or stopped. It lost its agents by itself then, so no system counts as down right after it. There
 * is no data for that time.
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
      // A caller's timer may run before the next check.
      look()
      return Math.max(0, wokeAtMs + SETTLING_MS - monotonicMs())
    },
  }
}
