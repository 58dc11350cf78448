import type { Sample } from '@vedette/protocol/metrics/sample'
import { levelKind, type LevelKind, type Reading } from './alert-kinds.ts'
import type { AlertRule } from './alert-rule.ts'
import type { AlertEvent, Side } from './alert-state.ts'
import { ofTarget, partOf } from './one-target.ts'
import { averageOver, extremeOf, isBeyond, type Extreme, type Readings } from './recent-readings.ts'

/** The threshold of a rule and the minutes that its average covers. */
export type Threshold = { readonly threshold: number; readonly minutes: number }

type LevelEvent = Extract<AlertEvent, { kind: 'level' }>

/** The values of one sample for one alert kind, and the rules of that kind. */
export type LevelReading = { readonly kind: LevelKind; readonly reading: Reading; readonly rules: readonly AlertRule[] }

/** The values that a system's rules need, read from a sample. */
export const levelReadings = (rules: ReadonlyMap<string, readonly AlertRule[]>, sample: Sample): readonly LevelReading[] =>
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

type Judged = {
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
  { rule, kind, now, at }: Judged,
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
