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
