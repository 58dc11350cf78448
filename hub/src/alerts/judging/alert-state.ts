/**
 * Where an alert stands. `ok` is also what follows from knowing nothing. What is `pending` with a due time fires then, unless
 * something happens before; without one it waits for what is measured next. `incident`: the id of what goes on.
 */
export type AlertState =
  | { readonly phase: 'ok' }
  | { readonly phase: 'pending'; readonly sinceMs: number; readonly dueMs?: number }
  | { readonly phase: 'firing'; readonly sinceMs: number; readonly incident: string }

export const ok: AlertState = { phase: 'ok' }

/** On which side of the threshold a value is; an unknown value is on none. */
export type Side = 'beyond' | 'within' | 'unknown'

export type AlertEvent =
  /** A measurement: the value itself, and its average over the alert's minutes. */
  | { readonly kind: 'level'; readonly atMs: number; readonly now: Side; readonly average: Side }
  /** A system that was up is down; it is to be told when it lasts for so long. */
  | { readonly kind: 'down'; readonly atMs: number; readonly waitMs: number }
  /** The system is up, or what was wrong is not. */
  | { readonly kind: 'up'; readonly atMs: number }
  /** Something is seen to be wrong; it is to be told once it was seen to be so for so long. */
  | { readonly kind: 'wrong'; readonly atMs: number; readonly waitMs: number }
  /** Time has passed while the system stayed as it was. */
  | { readonly kind: 'time'; readonly atMs: number }
  /** The system was paused or moved, or the alert is another one now: what comes next is a new beginning. */
  | { readonly kind: 'begin anew' }

/** What an event did: `fired` and `resolved` are told, `closed` ends an incident without a word. */
export type Change = 'fired' | 'resolved' | 'closed'

export type Decision = { readonly state: AlertState; readonly change?: Change }

/** What follows from an event. `newIncident` names the incident if this begins one. Unknown values and repeated events change nothing. */
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
    case 'begin anew':
      return state.phase === 'firing' ? { state: ok, change: 'closed' } : { state: ok }
  }
}

type Fire = (sinceMs: number) => Decision

/** A value must be beyond now and on average to fire, and back now and on average to be over: nothing flutters around the threshold. */
function decideLevel(state: AlertState, { atMs, now, average }: Extract<AlertEvent, { kind: 'level' }>, fire: Fire): Decision {
  if (state.phase === 'firing') return now === 'within' && average === 'within' ? { state: ok, change: 'resolved' } : { state }
  if (now === 'beyond' && average === 'beyond') return fire(atMs)
  if (now === 'beyond') return { state: state.phase === 'pending' ? state : { phase: 'pending', sinceMs: atMs } }
  return { state: now === 'within' ? ok : state }
}

/** Looks come once a minute, and not to the millisecond. */
const SLACK_MS = 10_000

/** Only what is seen decides: of a system that is away nobody knows whether it lasts. */
function decideWrong(state: AlertState, { atMs, waitMs }: Extract<AlertEvent, { kind: 'wrong' }>, fire: Fire): Decision {
  if (state.phase === 'firing') return { state }
  // The clock was set back: the wait begins again.
  const sinceMs = state.phase === 'ok' || atMs < state.sinceMs ? atMs : state.sinceMs
  if (atMs - sinceMs >= waitMs - SLACK_MS) return fire(sinceMs)
  return { state: state.phase === 'pending' && state.sinceMs === sinceMs ? state : { phase: 'pending', sinceMs } }
}

function decideTime(state: AlertState, atMs: number, fire: Fire): Decision {
  if (state.phase !== 'pending' || state.dueMs === undefined) return { state }
  // The clock was set back: the wait begins again, rather than lasting until the old time comes.
  if (atMs < state.sinceMs) return { state: { ...state, sinceMs: atMs, dueMs: atMs + state.dueMs - state.sinceMs } }
  return atMs >= state.dueMs ? fire(state.sinceMs) : { state }
}
