/** When to dial the hub again. Pure: the caller keeps the state and the clock. */

export const RETRY_MS = 10_000
export const MIN_SPACING_MS = 5_000

/** A hub that polls over SSH does so once a minute; silent for longer, it is gone and the WebSocket is tried again. */
export const SSH_SILENCE_MS = 70_000

export type DialState = {
  readonly lastAttemptAtMs: number | undefined
  /** Why there is no connection: it was never there, or it was open and ended. */
  readonly ended: 'failed' | 'lost'
  /** When a hub last used the SSH server. */
  readonly sshUsedAtMs: number | undefined
}

/** Milliseconds from now until the next attempt. A lost connection is tried at once, but never two attempts within 5 s. */
export function dialDelayMs({ lastAttemptAtMs, ended, sshUsedAtMs }: DialState, nowMs: number): number {
  const spacingMs = ended === 'lost' ? MIN_SPACING_MS : RETRY_MS
  const byAttempt = lastAttemptAtMs === undefined ? 0 : lastAttemptAtMs + spacingMs - nowMs
  const bySsh = sshUsedAtMs === undefined ? 0 : sshUsedAtMs + SSH_SILENCE_MS - nowMs
  return Math.max(0, byAttempt, bySsh)
}
