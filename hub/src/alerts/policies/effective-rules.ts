import { levelKind } from '../judging/alert-kinds.ts'
import { isBeyond, type Severity, type WarningLevel } from '../judging/judgement.ts'
import type { Policy, PolicyScope, PolicyValues } from './policy.ts'

/**
 * Origin of one value of an alert rule: the policy or own alert, with its `scope`. `of` is the tag or system id, `''` for all systems.
 * `standard`: the alert kind's default.
 */
export type ValueSource = (Pick<Policy, 'scope' | 'of'> & { readonly policy: string }) | { readonly scope: 'standard' }

/**
 * Alert rule that results from a user's policies and own alert for one kind and target on one system, with the origin of each value.
 * `isOff`: the most specific policy with a value `off` turns the alert off.
 */
export type EffectiveRule = {
  readonly owner: string
  readonly name: string
  readonly target: string
  readonly isOff: boolean
  readonly threshold: number
  readonly minutes: number
  /**
   * Threshold at which a firing alert resolves. `undefined`: it resolves at its first threshold. No policy sets `clear`, its value is
   * beyond the threshold, or the user has an own alert.
   */
  readonly clear: number | undefined
  readonly severity: Severity
  /**
   * Threshold and minutes at which the alert fires as a warning, before `threshold`. `undefined`: no policy sets them, the rule is a
   * warning itself, the value is beyond `threshold`, or the user has an own alert.
   */
  readonly warning: WarningLevel | undefined
  readonly sources: { readonly [value in 'off' | 'threshold' | 'minutes' | 'severity']: ValueSource } & {
    readonly [value in 'clear' | 'warning' | 'warningMinutes']?: ValueSource
  }
}

/** System for which policies are evaluated: its id, and the tags that an admin or an admin's token gave it (other tags do not count). */
export type TaggedSystem = { readonly id: string; readonly tags: readonly string[] }

const widths: Readonly<Record<PolicyScope, number>> = { own: 0, system: 1, tag: 2, everything: 3 }

/**
 * Compares two policies for `sort`, most specific first: own alert, system, tag (in alphabetical order), all systems. Equally specific ones
 * sort by id, so that all hubs agree.
 */
export function byRank(one: Policy, other: Policy): number {
  return widths[one.scope] - widths[other.scope] || compared(one.of, other.of) || compared(one.id, other.id)
}

const compared = (one: string, other: string): number => (one === other ? 0 : one < other ? -1 : 1)

/** Returns true when an alert policy applies to a system: its scope is all systems, one of the system's tags, or the system itself. */
export const appliesTo = ({ scope, of }: Policy, { id, tags }: TaggedSystem): boolean =>
  scope === 'everything' || (scope === 'tag' ? tags.includes(of) : of === id)

/**
 * Returns the effective alert rules of one system, from the policies and own alerts of all users: one for each owner, alert kind and
 * target. Each value comes from the most specific policy that sets it.
 */
export function effectiveRules(policies: readonly Policy[], system: TaggedSystem): readonly EffectiveRule[] {
  const applying = policies.filter((policy) => appliesTo(policy, system))
  return [...Map.groupBy(applying, ruleKey).values()].map((some) => merged(some.toSorted(byRank)))
}

/** Returns a key for grouping policies and alerts: JSON text of owner, alert kind and target. */
export const ruleKey = ({ owner, name, target }: Pick<Policy, 'owner' | 'name' | 'target'>): string => JSON.stringify([owner, name, target])

function merged(nearFirst: readonly Policy[]): EffectiveRule {
  const [{ owner, name, target }] = nearFirst as readonly [Policy, ...Policy[]]
  const threshold = nearest(nearFirst, 'threshold', levelKind(name)?.threshold.standard ?? 0)
  const minutes = nearest(nearFirst, 'minutes', levelKind(name) === undefined ? 1 : STANDARD_MINUTES)
  const off = nearest(nearFirst, 'off', false)
  const severity = nearest(nearFirst, 'severity', 'critical')
  const warning = severity.value === 'warning' ? undefined : warningOf(nearFirst, threshold.value, minutes.value)
  const clear = loosest(nearFirst, 'clear', warning?.level.threshold ?? threshold.value)
  return {
    owner,
    name,
    target,
    isOff: off.value,
    threshold: threshold.value,
    minutes: minutes.value,
    clear: clear?.value,
    severity: severity.value,
    warning: warning?.level,
    sources: {
      off: off.source,
      threshold: threshold.source,
      minutes: minutes.source,
      severity: severity.source,
      ...(clear === undefined ? {} : { clear: clear.source }),
      ...warning?.sources,
    },
  }
}

/**
 * Returns the value `clear` or `warning` that the most specific policy sets, with its origin. `undefined` if no policy sets it, it is at or
 * beyond `threshold`, the user has an own alert, or the kind has no threshold.
 */
function loosest(nearFirst: readonly Policy[], name: 'clear' | 'warning', threshold: number): Sourced<number> | undefined {
  const [{ name: kindName, scope }] = nearFirst as readonly [Policy, ...Policy[]]
  const kind = levelKind(kindName)
  if (kind === undefined || scope === 'own') return undefined
  const found = nearest(nearFirst, name, threshold)
  return isBeyond(threshold, found.value, kind.direction) ? found : undefined
}

type SourcedWarning = {
  readonly level: WarningLevel
  readonly sources: { readonly warning: ValueSource; readonly warningMinutes: ValueSource }
}

/** Returns the first of two thresholds and its minutes, which are `minutes` if no policy sets them. `undefined` if there is only one. */
function warningOf(nearFirst: readonly Policy[], threshold: number, minutes: number): SourcedWarning | undefined {
  const warning = loosest(nearFirst, 'warning', threshold)
  if (warning === undefined) return undefined
  const own = nearest(nearFirst, 'warningMinutes', minutes)
  return { level: { threshold: warning.value, minutes: own.value }, sources: { warning: warning.source, warningMinutes: own.source } }
}

type Sourced<Value> = { readonly value: Value; readonly source: ValueSource }

/**
 * Number of minutes over which a threshold alert averages when no policy sets minutes: 10. The dashboard proposes the same for new alerts.
 */
const STANDARD_MINUTES = 10

function nearest<Name extends keyof PolicyValues>(
  nearFirst: readonly Policy[],
  name: Name,
  standard: NonNullable<PolicyValues[Name]>,
): Sourced<NonNullable<PolicyValues[Name]>> {
  for (const { id, scope, of, values } of nearFirst) {
    const value = values[name]
    if (value !== undefined) return { value, source: { policy: id, scope, of } }
  }
  return { value: standard, source: { scope: 'standard' } }
}
