/** When to dial the hub again. Pure: the caller keeps the state, the clock and the dice. */

/** The first minute of failures, the cadence hubs are used to; then slower, up to the longest. */
export const RETRY_MS = 10_000
export const LONGEST_RETRY_MS = 30_000
const PATIENT_FAILURES = 6
const SLOWER = 1.5

export const MIN_SPACING_MS = 5_000

/** A hub that restarts loses all its agents at once; they come back over this time instead of in one moment. */
export const SPREAD_MS = 2_000
/** Share of a retry's delay that is left to chance. */
const CHANCE = 0.2

/** A hub that polls over SSH does so once a minute; silent for longer, it is gone and the WebSocket is tried again. */
export const SSH_SILENCE_MS = 70_000

export type DialState = {
  readonly lastAttemptAtMs: number | undefined
  /** Why there is no connection: it was never there, or it was open and ended. */
  readonly ended: 'failed' | 'lost'
  readonly endedAtMs: number
  /** Attempts in a row that came to nothing. */
  readonly failures: number
  /** Number of hubs that are dialled in turn. */
  readonly hubs: number
  /** When a hub last used the SSH server. */
  readonly sshUsedAtMs: number | undefined
  /** 0 to 1, rolled once for each connection that ended. */
  readonly dice: number
}

/**
 * Milliseconds from now until the next attempt. Never two attempts at one hub within 5 s; the first of all is at once. When one of several
 * hubs failed, the next one follows soon, and after them all it is as with one.
 */
export function dialDelayMs({ lastAttemptAtMs, ended, endedAtMs, failures, hubs, sshUsedAtMs, dice }: DialState, nowMs: number): number {
  const bySsh = sshUsedAtMs === undefined ? 0 : sshUsedAtMs + SSH_SILENCE_MS - nowMs
  if (lastAttemptAtMs === undefined) return Math.max(0, bySsh)
  const soonMs = endedAtMs + SPREAD_MS * dice
  const isUntried = failures % hubs !== 0
  const dueAtMs =
    ended === 'lost'
      ? Math.max(lastAttemptAtMs + MIN_SPACING_MS, soonMs)
      : isUntried
        ? soonMs
        : lastAttemptAtMs + retryMs(failures / hubs) * (1 - CHANCE / 2 + CHANCE * dice)
  return Math.max(0, dueAtMs - nowMs, bySsh)
}

const retryMs = (failures: number): number =>
  Math.min(LONGEST_RETRY_MS, RETRY_MS * SLOWER ** Math.min(10, Math.max(0, failures - PATIENT_FAILURES)))
