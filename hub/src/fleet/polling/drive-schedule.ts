/** How often drives are read when the agent names no interval. */
const STANDARD_INTERVAL_MS = 3_600_000

/** Sooner than this no agent is asked again, whatever it says: drives are read one after the other. */
const LEAST_INTERVAL_MS = 60_000

/**
 * When a system's drives are to be read: first once the machine's facts are known, then at the agent's interval. A failed
 * reading waits as long, unless the agent connects anew.
 */
export type DriveSchedule = {
  readonly isDue: (nowMs: number) => boolean
  readonly learnInterval: (intervalMs: number | undefined) => void
  readonly started: (nowMs: number) => void
  readonly succeeded: () => void
  /** The agent connected anew. */
  readonly reconnected: () => void
}

export function driveSchedule(): DriveSchedule {
  let intervalMs = STANDARD_INTERVAL_MS
  let lastMs: number | undefined
  let isGood = false
  return {
    // A last time in the future: the clock was set back since.
    isDue: (nowMs) => lastMs === undefined || nowMs < lastMs || nowMs - lastMs >= intervalMs,
    learnInterval(told) {
      if (told !== undefined && told > 0) intervalMs = Math.max(told, LEAST_INTERVAL_MS)
    },
    started(nowMs) {
      lastMs = nowMs
      isGood = false
    },
    succeeded: () => (isGood = true),
    reconnected() {
      if (!isGood) lastMs = undefined
    },
  }
}
