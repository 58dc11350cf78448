// Decides when to dial the hub again. All functions are pure: the caller keeps the state, the clock and the random number.

/** Retry delay of the WebSocket connection in ms during the first minute of failures: 10 s. It then grows up to 30 s. */
export const RETRY_MS = 10_000
export const LONGEST_RETRY_MS = 30_000
const PATIENT_FAILURES = 6
const SLOWER = 1.5

export const MIN_SPACING_MS = 5_000

/**
 * Maximum random delay in ms, 2 s, before the agent reconnects after a lost connection. It prevents that all agents of a restarted hub
 * reconnect at one moment.
 */
export const SPREAD_MS = 2_000
/**
 * Time in ms, 12 s, after the loss of the WebSocket connection to a hub. A failed attempt within it is repeated after 5 to 6 s instead of
 * 10 s. A restarted hub is back in a few seconds.
 */
export const RESTART_MS = 12_000
/**
 * Minimum delay in ms, 2.2 s, before the agent reconnects to its only hub after this hub said that it stops. Before, the hub is still down
 * in most cases. Up to 1.5 s are added at random.
 */
export const STOPPED_HUB_MS = 2200
const STOPPED_HUB_SPREAD_MS = 1500

/** Fraction of the retry delay that is random (jitter): 0.2 gives 90 to 110 % of the delay. Agents then do not reconnect at one moment. */
const CHANCE = 0.2

/**
 * Minimum time in ms, 70 s, between a hub's last SSH request and the agent's next WebSocket attempt. A hub that polls over SSH does so once
 * a minute, so no WebSocket is opened meanwhile.
 */
export const SSH_SILENCE_MS = 70_000

export type DialState = {
  readonly lastAttemptAtMs: number | undefined
  /** Reason why there is no WebSocket connection: the last attempt `failed`, or a connection to an authenticated hub was `lost`. */
  readonly ended: 'failed' | 'lost'
  readonly endedAtMs: number
  /** Monotonic time in ms at which a WebSocket connection to an authenticated hub was last lost; `undefined` before the first loss. */
  readonly lostAtMs: number | undefined
  /** True when the lost WebSocket connection was closed by the hub because the hub stops (close code 1001). */
  readonly isHubStopping: boolean
  /** Number of WebSocket connection attempts to hubs that have failed in a row, 0 after a success. It increases the retry delay. */
  readonly failures: number
  /** Number of configured hub addresses; the agent tries one after the other. */
  readonly hubs: number
  /**
   * Monotonic time in ms of the last request that a hub sent over SSH. `undefined` for none since the start, or since a hub last
   * authenticated over WebSocket.
   */
  readonly sshUsedAtMs: number | undefined
  /**
   * Random number from 0 to 1, both inclusive, that the caller passes for each ended connection or failed attempt. It determines the random
   * part of the reconnection delay.
   */
  readonly dice: number
}

/**
 * Returns the delay in ms until the next WebSocket connection attempt. It is up to 2 s after a lost connection or before the next of
 * several hubs, else the retry delay. In the first 12 s after a loss, that is 5 to 6 s. After the only hub said that it stops, it is 2.2 to
 * 3.7 s. Attempts at one hub are at least 5 s apart, and 70 s pass after a hub's use of SSH.
 */
export function dialDelayMs(state: DialState, nowMs: number): number {
  const { lastAttemptAtMs, ended, endedAtMs, lostAtMs, isHubStopping, failures, hubs, sshUsedAtMs, dice } = state
  const bySsh = sshUsedAtMs === undefined ? 0 : sshUsedAtMs + SSH_SILENCE_MS - nowMs
  if (lastAttemptAtMs === undefined) return Math.max(0, bySsh)
  const isStopping = ended === 'lost' && isHubStopping && hubs === 1
  const soonMs = endedAtMs + (isStopping ? STOPPED_HUB_MS + STOPPED_HUB_SPREAD_MS * dice : SPREAD_MS * dice)
  const isUntried = failures % hubs !== 0
  const isRestarting = lostAtMs !== undefined && lastAttemptAtMs - lostAtMs < RESTART_MS
  const dueAtMs =
    ended === 'lost'
      ? Math.max(lastAttemptAtMs + MIN_SPACING_MS, soonMs)
      : isUntried
        ? soonMs
        : lastAttemptAtMs +
          (isRestarting ? MIN_SPACING_MS * (1 + CHANCE * dice) : retryMs(failures / hubs) * (1 - CHANCE / 2 + CHANCE * dice))
  return Math.max(0, dueAtMs - nowMs, bySsh)
}

const retryMs = (failures: number): number =>
  Math.min(LONGEST_RETRY_MS, RETRY_MS * SLOWER ** Math.min(10, Math.max(0, failures - PATIENT_FAILURES)))
