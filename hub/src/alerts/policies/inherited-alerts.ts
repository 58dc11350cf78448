import type { UnitOfWork } from '../../platform/db/database.ts'
import type { RecordStore } from '../../records/model/record-store.ts'
import { textOf, type StoredRecord } from '../../records/model/stored-record.ts'
import { digestId } from '../../platform/secrets/random-id.ts'
import { decide, isEqualLevel, ok, type AlertEvent, type AlertRule } from '../judging/judgement.ts'
import { loadAlert, resetAlert, type LoadedAlert, type TransitionContext, loadStates } from '../transitions/alert-transition.ts'
import { ruleKey, type EffectiveRule } from './effective-rules.ts'
import type { Policy } from './policy.ts'
import { loadPolicyRule } from './rules-of-system.ts'

/**
 * Name (`alert-policies`) of the database lock that is held while policies change and while their alerts are created, so that no alert
 * outlives its policy.
 */
const POLICIES = 'alert-policies'

/**
 * Takes the database lock of alert policies until the end of the transaction. Take locks in this order, so that transactions cannot
 * deadlock: systems, then policies, then alerts.
 */
export const lockPolicies = (unit: UnitOfWork): Promise<void> => unit.alone(POLICIES)

/**
 * Converts an effective rule of policies on a system to an alert rule. Its id is a digest of system, owner, kind and target, so that it is
 * the same on all hubs and after a restart.
 */
export function inheritedRule(rule: EffectiveRule, system: string): AlertRule {
  const { owner, name, target, threshold, minutes, clear, severity, warning } = rule
  const id = digestId(`${system} ${ruleKey({ owner, name, target })}`)
  return {
    id,
    owner,
    system,
    name,
    target,
    threshold,
    minutes,
    clear,
    severity,
    warning,
    isFiring: false,
    isWarning: false,
    isInherited: true,
  }
}

type Whose = Pick<Policy, 'owner' | 'name' | 'target'>

/**
 * Loads the alert rule that a user's policies set for an alert kind and target on a system. `undefined` if no policy sets it, or the
 * policies turn the alert off.
 */
export async function loadInherited(
  unit: UnitOfWork,
  records: Pick<RecordStore, 'loadWhere'>,
  { owner, name, target }: Whose,
  system: StoredRecord,
): Promise<AlertRule | undefined> {
  const rule = await loadPolicyRule(records, { user: owner, name, target }, system, unit)
  return rule === undefined || rule.isOff ? undefined : inheritedRule(rule, system.id)
}

/**
 * Creates the alert record of a policy's rule on a system if one of `events` makes the alert pending or firing. Resolves to the new or
 * existing record. `undefined` if no event does, the policies changed, or the user has an own alert. The transaction must hold the lock of
 * policies.
 */
export async function createInherited(
  { unit, records }: TransitionContext,
  rule: AlertRule,
  events: readonly AlertEvent[],
): Promise<LoadedAlert | undefined> {
  const beginning = { newIncident: () => '', severity: rule.severity }
  if (events.every((event) => decide(ok, event, beginning).state.phase === 'ok')) return undefined
  const existing = await loadAlert(unit, records, rule.id)
  if (existing !== undefined) return existing
  const system = await records.load('systems', rule.system, unit)
  const now = system && (await loadInherited(unit, records, rule, system))
  if (system === undefined || now === undefined || !isEqualLevel(now, rule)) return undefined
  // The user's own alert, which another hub has just stored, is nearer.
  const values = { user: rule.owner, system: system.id, name: rule.name, target: rule.target }
  if ((await records.loadWhere('alerts', values, unit)).length > 0) return undefined
  const alert = await records.insert(unit, 'alerts', {
    ...values,
    ...storedLevels(now),
    id: rule.id,
    inherited: true,
  })
  return { alert, rule: now, system }
}

/**
 * Returns a rule's thresholds, minutes and severity as fields of a record of `alerts`: `value`, `min`, `clear`, `severity`, `warning`,
 * `warningMinutes`. Absent thresholds become 0, the severity `critical` becomes `''`.
 */
const storedLevels = ({ threshold, minutes, clear = 0, severity, warning }: AlertRule) => ({
  value: threshold,
  min: minutes,
  clear,
  severity: severity === 'warning' ? severity : '',
  warning: warning?.threshold ?? 0,
  warningMinutes: warning?.minutes ?? 0,
})

/**
 * Deletes the record of an alert that comes from a policy, if it is neither pending nor firing. The policy creates it again when needed.
 */
export async function removeIdle({ unit, records }: Pick<TransitionContext, 'unit' | 'records'>, { alert }: LoadedAlert): Promise<void> {
  if (isInherited(alert) && (await loadStates(unit, alert.id)).length === 0) await records.remove(unit, 'alerts', alert.id)
}

/**
 * Makes a user's own alert that is pending or firing an alert of the policies on its system. Its state and incident stay. Resolves to false,
 * without changes, if it is neither, or if no policy sets it. The transaction must hold the lock of policies.
 */
export async function inheritAlert({ unit, records }: Pick<TransitionContext, 'unit' | 'records'>, { id }: StoredRecord): Promise<boolean> {
  const loaded = (await loadStates(unit, id)).length === 0 ? undefined : await loadAlert(unit, records, id)
  const rule = loaded && (await loadInherited(unit, records, loaded.rule, loaded.system))
  if (rule === undefined) return false
  await records.update(unit, 'alerts', id, { inherited: true, ...storedLevels(rule) })
  return true
}

export const isInherited = (alert: StoredRecord): boolean => alert['inherited'] === true

/**
 * Updates alerts that come from policies to the current policies and tags of their systems. An alert whose policy is gone ends without a
 * notification, and its record is deleted. The transaction must hold the lock of policies or have changed the system.
 */
export async function refreshInherited(writing: TransitionContext, alerts: readonly StoredRecord[]): Promise<void> {
  const { unit, records } = writing
  for (const { id } of alerts.filter(isInherited)) {
    const loaded = await loadAlert(unit, records, id)
    if (loaded === undefined || !isInherited(loaded.alert)) continue
    const { rule, system } = loaded
    const now = await loadInherited(unit, records, rule, system)
    if (now === undefined) {
      await resetAlert(writing, loaded)
      await removeIdle(writing, loaded)
    } else if (JSON.stringify(storedLevels(now)) !== JSON.stringify(storedLevels(rule)))
      await records.update(unit, 'alerts', id, storedLevels(now))
  }
}

/** Loads the alert records on all systems that come from a policy and have the same user, alert kind and target as `policy`. */
export const loadInheritedAlerts = (
  unit: UnitOfWork,
  records: Pick<RecordStore, 'loadWhere'>,
  policy: StoredRecord,
): Promise<readonly StoredRecord[]> =>
  records.loadWhere(
    'alerts',
    { user: textOf(policy, 'user'), name: textOf(policy, 'name'), target: textOf(policy, 'target'), inherited: true },
    unit,
  )
