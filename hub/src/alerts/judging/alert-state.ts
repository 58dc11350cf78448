/**
 * State of an alert. `ok` also stands for unknown. `pending` with `dueMs` fires at that time unless an event comes first; without `dueMs`
 * it waits for the next sample. `incident` is the id of the open incident.
 */
export type AlertState =
  | { readonly phase: 'ok' }
  | { readonly phase: 'pending'; readonly sinceMs: number; readonly dueMs?: number }
  | { readonly phase: 'firing'; readonly sinceMs: number; readonly incident: string }

export const ok: AlertState = { phase: 'ok' }

/** The side of the threshold. An unknown value is on neither side. */
export type Side = 'beyond' | 'within' | 'unknown'

export type AlertEvent =
  /** A sample: the value itself, and its average over the alert's minutes. */
  | { readonly kind: 'level'; readonly atMs: number; readonly now: Side; readonly average: Side }
  /** A system went down. The alert fires if this lasts for `waitMs`. */
  | { readonly kind: 'down'; readonly atMs: number; readonly waitMs: number }
  /** The system is up, or the condition is over. */
  | { readonly kind: 'up'; readonly atMs: number }
  /** A sample shows a bad condition. The alert fires once samples have shown it for `waitMs`. */
  | { readonly kind: 'wrong'; readonly atMs: number; readonly waitMs: number }
  /** Time passed and the system is still down. */
  | { readonly kind: 'time'; readonly atMs: number }
  /** The system was paused or moved, or the alert was edited. The state starts over. */
  | { readonly kind: 'reset' }

/** The effect of an event. `fired` and `resolved` are notified; `closed` ends an incident without a notification. */
export type Change = 'fired' | 'resolved' | 'closed'

export type Decision = { readonly state: AlertState; readonly change?: Change }

/** Returns the next state. `newIncident` creates the id if an incident begins. Unknown values and repeated events change nothing. */
export function decide(state: AlertState, event: AlertEvent, newIncident: () => string): Decision {
  const fire = (sinceMs: number): Decision => ({ state: { phase: 'firing', sinceMs, incident: newIncident() }, change: 'fired' })
  switch (event.kind) {
    case 'level':
      return decideLevel(state, event, fire)
    case 'down':
      return state.phase === 'ok' ? { state: { phase: 'pending', sinceMs: event.atMs, dueMs: event.atMs + event.waitMs } } : { state }
    case 'wrong':
      return decideWrong(state, event, fire)
    case 'up':
      return state.phase === 'firing' ? { state: ok, change: 'resolved' } : { state: ok }
    case 'time':
      return decideTime(state, event.atMs, fire)
    case 'reset':
      return state.phase === 'firing' ? { state: ok, change: 'closed' } : { state: ok }
  }
}

type Fire = (sinceMs: number) => Decision

/**
 * Fires if value and average are both beyond the threshold, resolves if both are within it. This prevents flapping around the threshold.
 */
function decideLevel(state: AlertState, { atMs, now, average }: Extract<AlertEvent, { kind: 'level' }>, fire: Fire): Decision {
  if (state.phase === 'firing') return now === 'within' && average === 'within' ? { state: ok, change: 'resolved' } : { state }
  if (now === 'beyond' && average === 'beyond') return fire(atMs)
  if (now === 'beyond') return { state: state.phase === 'pending' ? state : { phase: 'pending', sinceMs: atMs } }
  return { state: now === 'within' ? ok : state }
}

/** Samples come once a minute, but not to the millisecond. */
const SLACK_MS = 10_000

/** Only samples decide. While a system is offline, its condition is unknown. */
function decideWrong(state: AlertState, { atMs, waitMs }: Extract<AlertEvent, { kind: 'wrong' }>, fire: Fire): Decision {
  if (state.phase === 'firing') return { state }
  // The clock was set back, so the wait begins again.
  const sinceMs = state.phase === 'ok' || atMs < state.sinceMs ? atMs : state.sinceMs
  if (atMs - sinceMs >= waitMs - SLACK_MS) return fire(sinceMs)
  return { state: state.phase === 'pending' && state.sinceMs === sinceMs ? state : { phase: 'pending', sinceMs } }
}

function decideTime(state: AlertState, atMs: number, fire: Fire): Decision {
  if (state.phase !== 'pending' || state.dueMs === undefined) return { state }
  // The clock was set back. The wait begins again; otherwise it would last until the old time.
  if (atMs < state.sinceMs) return { state: { ...state, sinceMs: atMs, dueMs: atMs + state.dueMs - state.sinceMs } }
  return atMs >= state.dueMs ? fire(state.sinceMs) : { state }
}
