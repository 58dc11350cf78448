import type { Sample } from '@vedette/protocol/metrics/sample'
import type { UnitOfWork } from '../../platform/db/database.ts'
import { type AlertRule, type AlertState, ok } from '../judging/judgement.ts'
import { type TargetEvent, loadStates } from '../transitions/alert-transition.ts'
import type { ConditionKind, Conditions, BadCondition } from '../judging/condition-kinds.ts'
import { FORGOTTEN_AFTER_MS, type RunningContainers } from './running-containers.ts'

/** Input for judging a container or service alert: the system's sample, its time, and a rule of an alert kind without a threshold. */
export type ConditionCheck = {
  readonly system: string
  readonly sample: Sample
  readonly atMs: number
  readonly kind: ConditionKind
  readonly rule: AlertRule
}

export type ConditionChecks = {
  /**
   * Resolves to the events that a sample causes for one alert rule, at most one per container or service. Such an event reports that a bad
   * condition begins, lasts or ends, or that a missing container is given up after 7 days.
   */
  readonly eventsOf: (unit: UnitOfWork, check: ConditionCheck) => Promise<readonly TargetEvent[]>
  /**
   * Returns true when the sample may fire or resolve the alert of the checked rule. Such a sample is stored at once, without waiting for a
   * batch.
   */
  readonly isUrgent: (check: ConditionCheck) => boolean
}

/**
 * Maximum size of the set `idle` (ids of alert rules without a problem at their last check): 100,000. A larger set is cleared, because ids
 * of deleted rules stay in it.
 */
const MOST_IDLE = 100_000

export function conditionChecks(running: RunningContainers): ConditionChecks {
  /**
   * Set of ids of alert rules that were neither pending nor firing and saw no bad condition at their last check. Their next check needs no
   * database query.
   */
  const idle = new Set<string>()

  function noteIdle(alert: string, isIdle: boolean): void {
    if (idle.size > MOST_IDLE) idle.clear()
    if (isIdle) idle.add(alert)
    else idle.delete(alert)
  }

  function read({ system, sample, kind, rule, atMs }: ConditionCheck, standing: ReadonlySet<string>): Conditions | undefined {
    return kind.read({
      sample,
      target: rule.target,
      standing,
      expected: running.expected(system),
      isLooping: (identity) => running.isLooping(system, identity),
      isJustGone: (identity) => running.isJustGone(system, identity, atMs),
    })
  }

  return {
    async eventsOf(unit, check) {
      const { kind, rule, atMs } = check
      const anew = read(check, none)
      if (anew === undefined) return []
      const isSomethingWrong = hasWrong(anew)
      if (!isSomethingWrong && !rule.isFiring && idle.has(rule.id)) return []
      const standing = new Map((await loadStates(unit, rule.id)).map(({ target, state }) => [target, state]))
      const isIdle = standing.size === 0 && !isSomethingWrong
      noteIdle(rule.id, isIdle)
      // A client set `triggered`, but nothing is wrong.
      if (isIdle) return rule.isFiring ? [{ event: { kind: 'up', atMs } }] : []
      const conditions = standing.size === 0 ? anew : (read(check, new Set(standing.keys())) ?? anew)
      return [...conditions].flatMap(([part, wrong]) => eventOf({ kind, rule, atMs, part, wrong, state: standing.get(part) ?? ok }))
    },
    isUrgent(check) {
      const conditions = read(check, none)
      return conditions !== undefined && hasWrong(conditions) !== check.rule.isFiring
    },
  }
}

const none: ReadonlySet<string> = new Set()

const hasWrong = (conditions: Conditions): boolean => conditions.values().some((wrong) => wrong !== undefined)

type Part = {
  readonly kind: ConditionKind
  readonly rule: AlertRule
  readonly atMs: number
  readonly part: string
  readonly wrong: BadCondition | undefined
  readonly state: AlertState
}

function eventOf({ kind, rule, atMs, part, wrong, state }: Part): readonly TargetEvent[] {
  const target = kind.isOfOne === true ? rule.target : part
  if (wrong === undefined) return state.phase === 'ok' ? [] : [{ part, event: { kind: 'up', atMs }, facts: { target } }]
  const isGoneForGood =
    kind.isOfOne !== true && wrong === 'stopped' && state.phase === 'firing' && atMs - state.sinceMs > FORGOTTEN_AFTER_MS
  if (isGoneForGood) return [{ part, event: { kind: 'reset' } }]
  if (state.phase === 'firing') return []
  return [{ part, event: { kind: 'wrong', atMs, waitMs: kind.waitMs(rule.minutes) }, facts: { target, reason: wrong } }]
}
