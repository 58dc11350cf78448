import type { Sample } from '@vedette/protocol/metrics/sample'
import { textOf, type StoredRecord } from '../../records/model/stored-record.ts'
import { sampledKind, type LevelKind, type Reading } from './alert-kinds.ts'
import { containerIdentity } from '../../history/model/container-identity.ts'

/**
 * List of the severities of a firing alert: `warning` and `critical`. With two thresholds it fires as `warning` at the first and becomes
 * `critical` at the second. Any other alert fires with the severity of its rule.
 */
export const severities = ['warning', 'critical'] as const
export type Severity = (typeof severities)[number]

/** One user's alert rule on one system: a record of the collection `alerts`, parsed for evaluation. */
export type AlertRule = {
  readonly id: string
  readonly owner: string
  readonly system: string
  /**
   * Name of the alert kind, such as `CPU`, or `Status` for a system that is down. Rules with a name that this version does not know are
   * ignored.
   */
  readonly name: string
  /** Name of the part of the system that the alert watches, such as a container's name; `''` for the whole system. */
  readonly target: string
  readonly threshold: number
  /**
   * Threshold at which the alert resolves while it fires, in the unit of the alert kind. `undefined`: at the first threshold, `warning` or
   * else `threshold`.
   */
  readonly clear?: number | undefined
  /** Number of minutes over which the value is averaged, or for which the condition must last. At least 1. */
  readonly minutes: number
  /** Severity with which the alert fires at `threshold`, or by its condition. */
  readonly severity: Severity
  /** Threshold and minutes at which the alert fires as a warning, before `threshold`. `undefined`: it has only one threshold. */
  readonly warning?: WarningLevel | undefined
  readonly isFiring: boolean
  /** True while the alert fires as a warning. */
  readonly isWarning: boolean
  /** True for a rule that comes from a policy. Its record exists only while the alert is pending or fires. */
  readonly isInherited: boolean
}

/**
 * Converts a record of the collection `alerts` to an alert rule. Minutes that are missing or below 1 become 1, because API clients send 0
 * for "at once".
 */
export function ruleOf(record: StoredRecord): AlertRule {
  const { id, value, min, triggered, inherited, clear, severity, firing, warning, warningMinutes } = record
  return {
    id,
    owner: textOf(record, 'user'),
    system: textOf(record, 'system'),
    name: textOf(record, 'name'),
    target: textOf(record, 'target'),
    threshold: typeof value === 'number' ? value : 0,
    minutes: typeof min === 'number' && min >= 1 ? min : 1,
    severity: severity === 'warning' ? 'warning' : 'critical',
    isFiring: triggered === true,
    isWarning: triggered === true && firing === 'warning',
    isInherited: inherited === true,
    ...(typeof clear === 'number' && clear !== 0 ? { clear } : {}),
    ...(typeof warning === 'number' && typeof warningMinutes === 'number' && warningMinutes >= 1
      ? { warning: { threshold: warning, minutes: warningMinutes } }
      : {}),
  }
}

/** Map from alert kind (its name, such as `CPU`) to the alert rules of all users of that kind on one system. */
export type SystemRules = ReadonlyMap<string, readonly AlertRule[]>

/** First of two thresholds of an alert, in the unit of its kind, with the minutes over which the value is averaged for it. */
export type WarningLevel = { readonly threshold: number; readonly minutes: number }

/**
 * Part of a threshold alert rule: the threshold, and the number of minutes over which the value is averaged. `clear`: threshold at which a
 * firing alert resolves, if it differs. `warning`: the first of two thresholds. All thresholds are in the unit of the alert kind.
 */
export type Threshold = WarningLevel & { readonly clear?: number | undefined; readonly warning?: WarningLevel | undefined }

type LevelEvent = Extract<AlertEvent, { kind: 'level' }>

/** Alert kind, its values in one sample by target (such as a disk), and the alert rules of that kind on the sample's system. */
export type LevelReading = { readonly kind: LevelKind; readonly reading: Reading; readonly rules: readonly AlertRule[] }

/**
 * Returns one item for each threshold alert kind with rules on the system: the kind, its values in the sample, and the rules. Forecasts and
 * rates are left out.
 */
export const levelReadings = (rules: SystemRules, sample: Sample): readonly LevelReading[] =>
  [...rules].flatMap(([name, some]) => {
    const kind = sampledKind(name)
    return kind === undefined ? [] : [{ kind, reading: kind.read(sample), rules: some }]
  })

/**
 * Returns the most extreme value of a new sample if the rule may fire, become critical or resolve by it. That is a value beyond the
 * threshold, or within it for a firing rule. Otherwise returns `undefined`, and no history needs to be read.
 */
export function crossing({ kind, reading }: Pick<LevelReading, 'kind' | 'reading'>, rule: AlertRule): Extreme | undefined {
  const now = extremeOf(watchedReading(reading, kind, rule.target), kind.direction)
  if (now === undefined) return undefined
  const mayChange = (sideOf(now, limitOf(rule, rule.isFiring), kind) === 'beyond') !== rule.isFiring
  return mayChange || (rule.isWarning && isCriticalAt(now, rule, kind)) ? now : undefined
}

type Transition = { readonly rule: AlertRule; readonly event: LevelEvent; readonly average: Extreme }

/**
 * Returns the rules that the newest sample fires, makes critical or resolves, each with the event for {@link decide} and the average. Both
 * the value and the average must be on the same side of the threshold.
 */
export function transitions(level: LevelReading, readings: Readings): readonly Transition[] {
  const { kind, rules } = level
  return rules.flatMap((rule) => {
    const now = crossing(level, rule)
    if (now === undefined) return []
    const { isFiring } = rule
    const at = readings.times.length - 1
    const { event, average } = judge(watchedReadings(readings, kind, rule.target), { rule, kind, isFiring, now, at })
    return average === undefined || (event.average !== event.now && event.isCritical !== true) ? [] : [{ rule, event, average }]
  })
}

type JudgedRule = Threshold & Partial<Pick<AlertRule, 'isWarning' | 'severity'>>

type JudgedReading = {
  readonly rule: JudgedRule
  readonly kind: LevelKind
  /** True if the alert fires at this time, so that it is compared with the threshold at which it resolves. */
  readonly isFiring: boolean
  /**
   * Most extreme value of all watched targets (such as disks or sensors) at the time for which the alert is evaluated; `undefined` if
   * unknown.
   */
  readonly now: Extreme | undefined
  /** Index in `times` (ascending) of the readings: the time for which the alert is evaluated. */
  readonly at: number
}

/**
 * Judges a threshold rule at one time: compares the value and the average over the rule's minutes with the threshold. Returns the event for
 * {@link decide} and the average. Used for new samples and for previews of the past.
 */
export function judge(
  readings: Readings,
  { rule, kind, isFiring, now, at }: JudgedReading,
): { readonly event: LevelEvent; readonly average: Extreme | undefined } {
  const averageIn = (minutes: number) => (minutes === 1 ? now : averageOver(readings, { minutes, direction: kind.direction, at }))
  const average = averageIn((rule.warning ?? rule).minutes)
  const limit = limitOf(rule, isFiring)
  const sides = { now: sideOf(now, limit, kind), average: sideOf(average, limit, kind) }
  const event = { kind: 'level', atMs: readings.times[at] ?? 0, ...sides } as const
  if (!isCriticalAt(now, rule, kind)) return { event, average }
  const overMinutes = averageIn(rule.minutes)
  return isCriticalAt(overMinutes, rule, kind) ? { event: { ...event, isCritical: true }, average: overMinutes } : { event, average }
}

/**
 * Returns true when a value, or an average, is beyond the second of two thresholds of a rule. Also when it is beyond the only one, and the
 * rule fires as a warning by thresholds that it had before.
 */
const isCriticalAt = (value: Extreme | undefined, { warning, threshold, isWarning, severity }: JudgedRule, kind: LevelKind): boolean =>
  (warning !== undefined || (isWarning === true && severity === 'critical')) && sideOf(value, threshold, kind) === 'beyond'

/** Returns true when two rules fire at the same thresholds. Their minutes may differ. */
export const isEqualLevel = (one: Threshold, other: Threshold): boolean =>
  one.threshold === other.threshold && one.warning?.threshold === other.warning?.threshold

/**
 * Returns the threshold that applies to an alert now. While it fires, that is the one at which it resolves; otherwise the first at which it
 * fires.
 */
export function limitOf({ threshold, warning, clear }: Threshold, isFiring: boolean): number {
  const first = warning?.threshold ?? threshold
  return isFiring ? (clear ?? first) : first
}

export function sideOf(extreme: Extreme | undefined, limit: number, { direction }: LevelKind): Side {
  if (extreme === undefined) return 'unknown'
  return isBeyond(extreme.value, limit, direction) ? 'beyond' : 'within'
}

type Targets = Pick<LevelKind, 'isOfOne' | 'stored'>

/**
 * Returns those values of a sample that an alert watches, as a map from target to number. If the alert kind is for one named target, only
 * that target's, otherwise all.
 */
export function watchedReading(reading: Reading, kind: Targets, target: string): Reading {
  return kind.isOfOne === true ? onlyTarget(reading, kind, target) : reading
}

/**
 * Returns those values over time that an alert watches, as `times` and lists of values by target. If the alert kind is for one named
 * target, only that target's, otherwise all.
 */
export function watchedReadings(readings: Readings, kind: Targets, target: string): Readings {
  return kind.isOfOne === true ? { times: readings.times, targets: onlyTarget(readings.targets, kind, target) } : readings
}

/**
 * Returns a map with at most one entry: that of the given target in `targets`; empty if the target has no value. A container's name is
 * converted to its identity first.
 */
function onlyTarget<Value>(targets: ReadonlyMap<string, Value>, { stored }: Targets, target: string): ReadonlyMap<string, Value> {
  const value = targets.get(stored === 'containers' ? containerIdentity(target) : target)
  return new Map(value === undefined ? [] : [[target, value]])
}

/** Values of one alert kind over time. `times` ascend, in epoch ms; each target (disk, sensor) has one value per time, NaN if unknown. */
export type Readings = { readonly times: ArrayLike<number>; readonly targets: ReadonlyMap<string, ArrayLike<number>> }

const MINUTE_MS = 60_000
/**
 * Tolerance for the distances of samples, in ms (10 s), because polls are not exactly one minute apart. A condition so counts as lasting
 * for 3 minutes after 170 s.
 */
const SLACK_MS = 10_000
/**
 * Minimum share of the averaged minutes that must have a value: 5/6. With fewer values, the average is unknown and the alert does not
 * change.
 */
const COVERAGE = 1 / 1.2

export type Direction = 'above' | 'below'

/** Most extreme value among the targets of an alert (disks, sensors), highest or lowest by the alert kind, and the target that has it. */
export type Extreme = { readonly value: number; readonly target: string }

type AverageQuery = {
  readonly minutes: number
  readonly direction: Direction
  /**
   * Index in `times` of the readings: the newest value that the average includes. It is the last one, except when a preview evaluates an
   * alert in the past.
   */
  readonly at: number
}

/**
 * Returns the average of a target's values over the rule's minutes, and the target: the one whose average is most extreme. `undefined` if
 * the values do not cover the minutes, or no target has enough of them.
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

/**
 * Returns the index of the first value that an alert averages: `at` is the index of the last one, `minutes` the length. `undefined` if the
 * ascending list of times does not reach back far enough.
 */
function firstOf(times: ArrayLike<number>, { minutes, at }: AverageQuery): number | undefined {
  const fromMs = (times[at] ?? 0) - minutes * MINUTE_MS + SLACK_MS
  let first = at
  while (first > 0 && (times[first - 1] ?? 0) >= fromMs) first -= 1
  return first > 0 || (times[first] ?? Number.POSITIVE_INFINITY) <= fromMs ? first : undefined
}

export function isBeyond(value: number, threshold: number, direction: Direction): boolean {
  return direction === 'above' ? value > threshold : value < threshold
}

/**
 * Returns the most extreme of a sample's values (highest or lowest, by `direction`) and its target. `undefined` when there are no values.
 */
export function extremeOf(reading: Reading, direction: Direction): Extreme | undefined {
  let most: Extreme | undefined
  for (const [target, value] of reading) most = moreExtreme(most, { target, value }, direction)
  return most
}

/**
 * Returns the most extreme of all targets' values at the index `at` of the readings' times, and the target that has it. `undefined` if all
 * values are unknown there.
 */
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
 * State of an alert: `ok`, `pending` or `firing`. A pending one (bad, but not yet for the alert's minutes) fires at `dueMs` (epoch ms), or
 * by a later sample if `dueMs` is absent. `incident` is the id of the firing period; `''` if an API client set `triggered`.
 */
export type AlertState =
  | { readonly phase: 'ok' }
  | { readonly phase: 'pending'; readonly sinceMs: number; readonly dueMs?: number }
  | { readonly phase: 'firing'; readonly sinceMs: number; readonly incident: string; readonly severity: Severity }

export const ok: AlertState = { phase: 'ok' }

/** Position of a value relative to an alert's threshold: `beyond` (the condition to fire is met), `within`, or `unknown` (no value). */
export type Side = 'beyond' | 'within' | 'unknown'

export type AlertEvent =
  // A sample arrived. `now` is the side of its value, `average` the side of the average over the alert's minutes. `isCritical`: both are
  // beyond the second of two thresholds.
  | { readonly kind: 'level'; readonly atMs: number; readonly now: Side; readonly average: Side; readonly isCritical?: true }
  // The system went down. The alert fires if that lasts for `waitMs`.
  | { readonly kind: 'down'; readonly atMs: number; readonly waitMs: number }
  // The system is up, or the condition is over.
  | { readonly kind: 'up'; readonly atMs: number }
  // A sample shows a bad condition. The alert fires once samples have shown it for `waitMs`.
  | { readonly kind: 'wrong'; readonly atMs: number; readonly waitMs: number }
  // Time passed and the system is still down.
  | { readonly kind: 'time'; readonly atMs: number }
  // The system was paused or moved, or the alert was edited. The state starts over.
  | { readonly kind: 'reset' }

/**
 * Name of the change of an alert that an event caused. `fired`, `worse` (a warning became critical) and `resolved` notify the user;
 * `closed` ends the firing period without a notification.
 */
export type Change = 'fired' | 'worse' | 'resolved' | 'closed'

export type Decision = { readonly state: AlertState; readonly change?: Change }

/**
 * Values for the start of an incident (firing period): `newIncident` creates its id. `severity` is used unless the event makes the alert
 * critical at once.
 */
export type Beginning = { readonly newIncident: () => string; readonly severity: Severity }

/**
 * Returns the severity with which an alert starts to fire: `warning` if its rule has two thresholds, else the rule's own severity. The
 * caller handles values beyond the second threshold.
 */
export const firstSeverity = ({ warning, severity }: Pick<AlertRule, 'warning' | 'severity'>): Severity =>
  warning === undefined ? severity : 'warning'

/**
 * Returns the next state of an alert after an event, and as `change` `fired`, `worse`, `resolved` or `closed` if that happened. Unknown
 * values change nothing.
 */
export function decide(state: AlertState, event: AlertEvent, { newIncident, severity }: Beginning): Decision {
  const fire: Fire = (sinceMs, as = severity) => ({
    state: { phase: 'firing', sinceMs, incident: newIncident(), severity: as },
    change: 'fired',
  })
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

type Fire = (sinceMs: number, severity?: Severity) => Decision

/**
 * Returns the next state of a threshold alert. It fires if value and average are both beyond the threshold, and resolves if both are within
 * it. Before it fires, it is pending while only the value is beyond. A firing alert never becomes a warning again.
 */
function decideLevel(state: AlertState, event: Extract<AlertEvent, { kind: 'level' }>, fire: Fire): Decision {
  const { atMs, now, average, isCritical = false } = event
  if (state.phase === 'firing') return decideFiring(state, event)
  if (isCritical) return fire(atMs, 'critical')
  if (now === 'beyond' && average === 'beyond') return fire(atMs)
  if (now === 'beyond') return { state: state.phase === 'pending' ? state : { phase: 'pending', sinceMs: atMs } }
  return { state: now === 'within' ? ok : state }
}

function decideFiring(
  state: Extract<AlertState, { phase: 'firing' }>,
  { now, average, isCritical }: Extract<AlertEvent, { kind: 'level' }>,
): Decision {
  if (isCritical === true && state.severity === 'warning') return { state: { ...state, severity: 'critical' }, change: 'worse' }
  return now === 'within' && average === 'within' ? { state: ok, change: 'resolved' } : { state }
}

/**
 * Returns the next state of an alert about a bad condition (such as a stopped container) when the condition is seen at `atMs`. It is
 * `pending`, then `firing` once the condition has lasted for `waitMs`, less 10 s of tolerance.
 */
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
