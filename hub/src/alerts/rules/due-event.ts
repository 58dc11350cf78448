import type { StoredRecord } from '../../records/model/stored-record.ts'
import type { AlertEvent } from '../judging/judgement.ts'
import type { TransitionDetails } from '../transitions/alert-transition.ts'

/**
 * Returns the event for a `Status` alert whose waiting time is over, by the system's status. `down` gives `time`, which fires the alert;
 * `up` gives `up`, any other status `reset`.
 */
export function dueEvent(system: StoredRecord, nowMs: number): AlertEvent {
  if (system['status'] === 'down') return { kind: 'time', atMs: nowMs }
  return system['status'] === 'up' ? { kind: 'up', atMs: nowMs } : { kind: 'reset' }
}

/** Returns `{ reason }`, the stored sentence why a system is down, for a notification; `{}` if none is stored. */
export function reasonOf(system: StoredRecord): TransitionDetails {
  const { info } = system
  const why = typeof info === 'object' && info !== null && 'why' in info ? info['why'] : undefined
  return typeof why === 'string' ? { reason: why } : {}
}
