/**
 * Interval in ms (1000) at which the hub compares the wall clock and the monotonic clock. It thus detects that its process or machine was
 * suspended meanwhile.
 */
export const LOOK_EVERY_MS = 1000
const SUSPENDED_AFTER_MS = 15_000

/**
 * Grace period, in ms (30 s), in which agents reconnect after a suspension of the hub, or after it could not accept one. Agents take 10 s;
 * the network may need longer.
 */
const SETTLING_MS = 30_000

export type Clocks = {
  /** Returns the wall clock's time in epoch ms. That clock advances while the machine is suspended, and it may be set. */
  readonly wallMs: () => number
  /** Returns the monotonic clock's time in ms. That clock advances while the process is stopped, but not while the machine is suspended. */
  readonly monotonicMs: () => number
}

export type Wakefulness = {
  /**
   * Checks whether the machine or process was suspended since the last call: a clock advanced more than 16 s. If so, the grace period of 30
   * s begins, whose rest `settlingMs` returns. Call it every second.
   */
  readonly look: () => void
  /**
   * Records that the hub could not accept an agent, because the hub's database did not respond. A grace period of 30 s begins, in which no
   * system becomes down for missing responses.
   */
  readonly stumble: () => void
  /**
   * Returns the remaining grace period, in ms, after a suspension of the hub or a failure of its database. In it, missing responses of
   * agents do not count. 0 when there is none.
   */
  readonly settlingMs: () => number
}

/**
 * Creates the detector of suspensions of the machine or process of more than 15 s, and of failures that kept agents away. Agents lost their
 * connection meanwhile, so no system becomes down in the following 30 s.
 */
export function wakefulness({ wallMs, monotonicMs }: Clocks): Wakefulness {
  let last = { wallMs: wallMs(), monotonicMs: monotonicMs() }
  let wokeAtMs = Number.NEGATIVE_INFINITY

  function look(): void {
    const now = { wallMs: wallMs(), monotonicMs: monotonicMs() }
    const passedMs = Math.max(now.wallMs - last.wallMs, now.monotonicMs - last.monotonicMs)
    if (passedMs > LOOK_EVERY_MS + SUSPENDED_AFTER_MS) wokeAtMs = now.monotonicMs
    last = now
  }

  return {
    look,
    stumble: () => void (wokeAtMs = monotonicMs()),
    settlingMs() {
      // A caller's timer may run before the next check.
      look()
      return Math.max(0, wokeAtMs + SETTLING_MS - monotonicMs())
    },
  }
}
