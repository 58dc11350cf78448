import type { Sample } from '@vedette/protocol/metrics/sample'
import { textOf, type StoredRecord } from '../../records/model/stored-record.ts'
import { levelKind, type LevelKind, type Reading } from './alert-kinds.ts'
import { containerIdentity } from '../../history/model/container-identity.ts'

/** A record of `alerts`, parsed for evaluation. */
export type AlertRule = {
  readonly id: string
  readonly owner: string
  readonly system: string
  /** `Status` or the name of an alert kind. Other names are not evaluated. */
  readonly name: string
  /** The one part of the system that the alert watches, such as a container's name; `''` for the whole system. */
  readonly target: string
  readonly threshold: number
  /** Minutes that count, at least 1. */
  readonly minutes: number
  readonly isFiring: boolean
}

/** Parses a record. Clients send 0 for "at once", and older alerts have no minutes: both become 1 minute. */
export function ruleOf(record: StoredRecord): AlertRule {
  const { id, value, min, triggered } = record
  return {
    id,
    owner: textOf(record, 'user'),
    system: textOf(record, 'system'),
    name: textOf(record, 'name'),
    target: textOf(record, 'target'),
    threshold: typeof value === 'number' ? value : 0,
    minutes: typeof min === 'number' && min >= 1 ? min : 1,
    isFiring: triggered === true,
  }
}

/** The alert rules of one system, by alert name. */
export type SystemRules = ReadonlyMap<string, readonly AlertRule[]>

/** The threshold of a rule and the minutes that its average covers. */
export type Threshold = { readonly threshold: number; readonly minutes: number }

type LevelEvent = Extract<AlertEvent, { kind: 'level' }>

/** The values of one sample for one alert kind, and the rules of that kind. */
export type LevelReading = { readonly kind: LevelKind; readonly reading: Reading; readonly rules: readonly AlertRule[] }

/** The values that a system's rules need, read from a sample. */
export const levelReadings = (rules: SystemRules, sample: Sample): readonly LevelReading[] =>
  [...rules].flatMap(([name, some]) => {
    const kind = levelKind(name)
    return kind === undefined ? [] : [{ kind, reading: kind.read(sample), rules: some }]
  })

/**
 * The most extreme value if it may change the rule's state: beyond the threshold of a quiet rule, or within that of a firing rule.
 * Undefined otherwise, and for an unknown value.
 */
export function crossing({ kind, reading }: Pick<LevelReading, 'kind' | 'reading'>, rule: AlertRule): Extreme | undefined {
  const now = extremeOf(partOf(reading, kind, rule.target), kind.direction)
  return now !== undefined && (sideOf(now, rule, kind) === 'beyond') !== rule.isFiring ? now : undefined
}

type Transition = { readonly rule: AlertRule; readonly event: LevelEvent; readonly average: Extreme }

/** The rules that the newest reading fires or resolves: value and average are on the same side of the threshold. */
export function transitions(level: LevelReading, readings: Readings): readonly Transition[] {
  const { kind, rules } = level
  return rules.flatMap((rule) => {
    const now = crossing(level, rule)
    if (now === undefined) return []
    const { event, average } = judge(ofTarget(readings, kind, rule.target), { rule, kind, now, at: readings.times.length - 1 })
    return average === undefined || event.average !== event.now ? [] : [{ rule, event, average }]
  })
}

type JudgedReading = {
  readonly rule: Threshold
  readonly kind: LevelKind
  /** The value of the reading. */
  readonly now: Extreme | undefined
  /** Index of the reading. */
  readonly at: number
}

/** Judges one reading by a rule, both for live samples and for previews of the past. */
export function judge(
  readings: Readings,
  { rule, kind, now, at }: JudgedReading,
): { readonly event: LevelEvent; readonly average: Extreme | undefined } {
  const { minutes } = rule
  const average = minutes === 1 ? now : averageOver(readings, { minutes, direction: kind.direction, at })
  const sides = { now: sideOf(now, rule, kind), average: sideOf(average, rule, kind) }
  return { event: { kind: 'level', atMs: readings.times[at] ?? 0, ...sides }, average }
}

export function sideOf(extreme: Extreme | undefined, { threshold }: Threshold, { direction }: LevelKind): Side {
  if (extreme === undefined) return 'unknown'
  return isBeyond(extreme.value, threshold, direction) ? 'beyond' : 'within'
}

type Targets = Pick<LevelKind, 'isOfOne' | 'stored'>

/** The part of a reading that an alert of this kind with this target watches. */
export function partOf(reading: Reading, kind: Targets, target: string): Reading {
  return kind.isOfOne === true ? only(reading, kind, target) : reading
}

/** The part of all readings that an alert of this kind with this target watches. */
export function ofTarget(readings: Readings, kind: Targets, target: string): Readings {
  return kind.isOfOne === true ? { times: readings.times, targets: only(readings.targets, kind, target) } : readings
}

/** Containers are looked up by their identity. */
function only<Value>(targets: ReadonlyMap<string, Value>, { stored }: Targets, target: string): ReadonlyMap<string, Value> {
  const value = targets.get(stored === 'containers' ? containerIdentity(target) : target)
  return new Map(value === undefined ? [] : [[target, value]])
}

/** Readings over time. `times` ascend, epoch milliseconds; each target has one value for each time, NaN if unknown. */
export type Readings = { readonly times: ArrayLike<number>; readonly targets: ReadonlyMap<string, ArrayLike<number>> }

const MINUTE_MS = 60_000
/** Polls come once a minute, but not to the millisecond. */
const SLACK_MS = 10_000
/** The share of the minutes that must have a value. With fewer, the average is unknown. */
const COVERAGE = 1 / 1.2

export type Direction = 'above' | 'below'

/** A value and its target. */
export type Extreme = { readonly value: number; readonly target: string }

type AverageQuery = {
  readonly minutes: number
  readonly direction: Direction
  /** Index of the last reading that counts. Its time is "now". */ readonly at: number
}

/**
 * The average over the last minutes, for the target where it is most extreme. Undefined if the readings do not cover all minutes, or no
 * target has values for most of them.
 */
export function averageOver(readings: Readings, query: AverageQuery): Extreme | undefined {
  const first = firstOf(readings.times, query)
  if (first === undefined) return undefined
  let most: Extreme | undefined
  for (const [target, values] of readings.targets) {
    let sum = 0
    let count = 0
    for (let place = first; place <= query.at; place++) {
      const value = values[place] ?? Number.NaN
      if (Number.isNaN(value)) continue
      sum += value
      count += 1
    }
    if (count > 0 && count >= query.minutes * COVERAGE) most = moreExtreme(most, { target, value: sum / count }, query.direction)
  }
  return most
}

/** Index of the first reading that counts; undefined if the readings do not reach back far enough. */
function firstOf(times: ArrayLike<number>, { minutes, at }: AverageQuery): number | undefined {
  const fromMs = (times[at] ?? 0) - minutes * MINUTE_MS + SLACK_MS
  let first = at
  while (first > 0 && (times[first - 1] ?? 0) >= fromMs) first -= 1
  return first > 0 || (times[first] ?? Number.POSITIVE_INFINITY) <= fromMs ? first : undefined
}

export function isBeyond(value: number, threshold: number, direction: Direction): boolean {
  return direction === 'above' ? value > threshold : value < threshold
}

/** The most extreme value of a reading; undefined for an empty one. */
export function extremeOf(reading: Reading, direction: Direction): Extreme | undefined {
  let most: Extreme | undefined
  for (const [target, value] of reading) most = moreExtreme(most, { target, value }, direction)
  return most
}

/** The most extreme value at one index; undefined if all values are unknown there. */
export function extremeAt({ targets }: Readings, at: number, direction: Direction): Extreme | undefined {
  let most: Extreme | undefined
  for (const [target, values] of targets) {
    const value = values[at] ?? Number.NaN
    if (Number.isNaN(value) || (most !== undefined && !isBeyond(value, most.value, direction))) continue
    most = { target, value }
  }
  return most
}

function moreExtreme(one: Extreme | undefined, other: Extreme, direction: Direction): Extreme {
  return one === undefined || isBeyond(other.value, one.value, direction) ? other : one
}

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
