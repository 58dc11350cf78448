export type SystemStatus = 'pending' | 'up' | 'down' | 'paused'

export type FleetEvent =
  | { readonly kind: 'sample' }
  | { readonly kind: 'unreachable'; readonly confirmed: boolean }
  | { readonly kind: 'pause' }
  | { readonly kind: 'resume' }

/** The status after an event. One failed attempt does not mean "down"; only a confirmed failure does. */
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

/** The last time an agent of the system was refused. */
export type Refusal = { readonly reason: string; readonly atMs: number }

/** Time for which a refused agent explains why its system is down. Agents retry within seconds, so an older refusal is over. */
const REFUSAL_KEPT_MS = 60_000

/** The reason for "down": a recent refusal says more than a missing response. */
export function reasonOfDown(failure: string, refusal: Refusal | undefined, nowMs: number): string {
  // `Math.abs` also covers a clock that was set back.
  return refusal !== undefined && Math.abs(nowMs - refusal.atMs) < REFUSAL_KEPT_MS ? refusal.reason : failure
}
