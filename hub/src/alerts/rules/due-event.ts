import type { StoredRecord } from '../../records/model/stored-record.ts'
import type { AlertEvent } from '../judging/judgement.ts'
import type { TransitionDetails } from '../transitions/alert-transition.ts'

/**
 * Returns the event for a system's `down` alert whose waiting time is over: `time` (fires it) for status `down`, `up` for status `up`, else
 * `reset`.
 */
export function dueEvent(system: StoredRecord, nowMs: number): AlertEvent {
  if (system['status'] === 'down') return { kind: 'time', atMs: nowMs }
  return system['status'] === 'up' ? { kind: 'up', atMs: nowMs } : { kind: 'reset' }
}

/** Returns the reason why a system is down, for a notification; `{}` if it has none. */
export function reasonOf(system: StoredRecord): TransitionDetails {
  const { info } = system
  const why = typeof info === 'object' && info !== null && 'why' in info ? info['why'] : undefined
  return typeof why === 'string' ? { reason: why } : {}
}
