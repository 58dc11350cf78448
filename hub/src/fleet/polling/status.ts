export type SystemStatus = 'pending' | 'up' | 'down' | 'paused'

export type FleetEvent =
  | { readonly kind: 'sample' }
  | { readonly kind: 'unreachable'; readonly confirmed: boolean }
  | { readonly kind: 'pause' }
  | { readonly kind: 'resume' }

/**
 * Returns the new status of a system after an event: `pause`, `resume`, `sample` (one was stored) or `unreachable`. `unreachable` gives
 * `down` only if the event says that all retries have failed. A paused system changes only by `resume`, to `pending`.
 */
export function nextStatus(status: SystemStatus, event: FleetEvent): SystemStatus {
  switch (event.kind) {
    case 'pause':
      return 'paused'
    case 'resume':
      return status === 'paused' ? 'pending' : status
    case 'sample':
      return status === 'paused' ? 'paused' : 'up'
    case 'unreachable':
      return status === 'paused' || !event.confirmed ? status : 'down'
  }
}

export function isSystemStatus(value: unknown): value is SystemStatus {
  return value === 'pending' || value === 'up' || value === 'down' || value === 'paused'
}

/** Latest refusal of a connection to an agent of a system: the reason as a sentence, and the time in epoch ms. */
export type AgentRefusal = { readonly reason: string; readonly atMs: number }

/**
 * Time, in ms (60 s), for which a refusal of the agent is shown as the reason why its system is down. Agents retry within seconds, so an
 * older refusal is outdated.
 */
const REFUSAL_KEPT_MS = 60_000

/**
 * Returns the sentence for users that explains why a system is down. It is the refusal of the system's agent if that is less than 1 minute
 * old, otherwise `failure`, the reason why the poll failed.
 */
export function reasonOfDown(failure: string, refusal: AgentRefusal | undefined, nowMs: number): string {
  // `Math.abs` also covers a clock that was set back.
  return refusal !== undefined && Math.abs(nowMs - refusal.atMs) < REFUSAL_KEPT_MS ? refusal.reason : failure
}
