import { levelKind } from '../judging/alert-kinds.ts'
import { isBeyond, type Severity, type WarningLevel } from '../judging/judgement.ts'
import type { Policy, PolicyScope, PolicyValues } from './policy.ts'

/**
 * Origin of one value of an effective alert rule. `of` is a tag or system id (`''` for all systems); `policy` is the id of a policy or own
 * alert. `standard`: the alert kind's default.
 */
export type ValueSource = (Pick<Policy, 'scope' | 'of'> & { readonly policy: string }) | { readonly scope: 'standard' }

/**
 * Alert rule of one owner, kind and target on one system, with the origin of each value. The owner's policies and own alert set it.
 * `isOff`: the nearest policy that sets `off` turns it off.
 */
export type EffectiveRule = {
  readonly owner: string
  readonly name: string
  readonly target: string
  readonly isOff: boolean
  readonly threshold: number
  readonly minutes: number
  /**
   * Threshold at which a firing alert resolves. `undefined`: at its first threshold, because no policy sets another, it is on the wrong
   * side, or the user has an own alert.
   */
  readonly clear: number | undefined
  readonly severity: Severity
  /**
   * Threshold and minutes at which the alert fires as a warning, before `threshold`. `undefined`: no policy sets them, the rule is a
   * warning itself, the threshold is on the wrong side, or the user has an own alert.
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

/** Returns true when a policy applies to a system by its scope: all systems, one of the system's tags, or the system's id. */
export const appliesTo = ({ scope, of }: Policy, { id, tags }: TaggedSystem): boolean =>
  scope === 'everything' || (scope === 'tag' ? tags.includes(of) : of === id)

/**
 * Returns the effective alert rules of one system: one for each owner, alert kind and target that policies name. Each value comes from the
 * most specific policy that sets it.
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
 * Returns the threshold that the nearest policy sets to resolve (`clear`) or to warn (`warning`). `undefined` if no policy sets it or it is
 * not on the good side of `threshold`. Also if the user has an own alert, or the kind has no threshold.
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
