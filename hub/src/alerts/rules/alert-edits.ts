import type { RecordStore, RecordValues } from '../../records/model/record-store.ts'
import type { HookContext } from '../../records/model/collection.ts'
import type { FieldErrors } from '../../records/model/record-error.ts'
import { textOf, type StoredRecord } from '../../records/model/stored-record.ts'
import { isJsonObject } from '../../platform/json.ts'
import { levelKind, conditionKind } from '../judging/alert-kinds.ts'
import { ruleOf } from '../judging/judgement.ts'
import { isInherited, lockPolicies, refreshInherited, removeIdle } from '../policies/inherited-alerts.ts'
import { resetAlert, closeIncidents, deleteAlertStates } from './alert-transition.ts'

/**
 * Returns errors of an alert record that depend on more than one field, by field name: a missing or needless target, or a bad threshold.
 * Empty object when it is valid.
 */
export const alertErrors = (alert: RecordValues, previous?: StoredRecord): FieldErrors => ({
  ...targetErrors(alert),
  ...thresholdErrors(alert, previous),
})

/**
 * Returns the errors of an alert's target, by field name. Alerts on one part of a system, such as a disk, need a target; alerts on the
 * whole system must not have one.
 */
function targetErrors({ name, target = '' }: RecordValues): FieldErrors {
  if (typeof name !== 'string') return {}
  const hasOne = target !== ''
  const needsOne = (levelKind(name) ?? conditionKind(name))?.isOfOne === true
  if (needsOne === hasOne) return {}
  if (needsOne) return { target: { code: 'validation_required', message: 'Cannot be blank.' } }
  return { target: { code: 'validation_invalid_value', message: `Must be empty: the alert "${name}" is about the whole system.` } }
}

/**
 * Returns the errors of a new or changed threshold of an alert, by field name. Negative values (except for temperatures) and percentages
 * above 100 are not allowed.
 */
function thresholdErrors({ name, value }: RecordValues, previous?: StoredRecord): FieldErrors {
  if (previous !== undefined && previous['name'] === name && previous['value'] === value) return {}
  const unit = typeof name === 'string' ? levelKind(name)?.unit : undefined
  if (typeof value !== 'number' || unit === undefined) return {}
  if (value < 0 && unit !== '°C')
    return { value: { code: 'validation_min_greater_equal_than_required', message: 'Must be no less than 0.' } }
  if (value > 100 && unit === '%')
    return { value: { code: 'validation_max_less_equal_than_required', message: 'Must be no greater than 100.' } }
  return {}
}

/**
 * Called when an alert is created or deleted, or a client changes its user, system, kind, target or `triggered`. Deletes the alert's
 * states, ends its firing periods without a notification and updates `alerts_history`. Does nothing for other edits.
 */
export async function followAlert(
  previous: StoredRecord | undefined,
  next: StoredRecord | undefined,
  { unit, store, nowMs }: HookContext,
): Promise<void> {
  if (previous !== undefined && next !== undefined && goesOn(previous, next)) return
  if (previous !== undefined && next === undefined && isInherited(previous)) await turnOff(previous, { unit, store })
  if (previous !== undefined) await endAlert(previous, { unit, store, nowMs })
  if (next !== undefined && isTriggered(next)) await store.insert(unit, 'alerts_history', historyOf(next))
}

/** Turns an alert that policies set off for its system, because its user deleted it there. */
async function turnOff(alert: StoredRecord, { unit, store }: Pick<HookContext, 'unit' | 'store'>): Promise<void> {
  const { user = '', system = '', name = '', target = '' } = alert
  const [policy] = await store.loadWhere('alert_policies', { user, system, name, target }, unit)
  if (policy === undefined) await store.insert(unit, 'alert_policies', { user, system, name, target, values: { off: true } })
  else {
    const { values = null } = policy
    await store.update(unit, 'alert_policies', policy.id, { values: { ...(isJsonObject(values) ? values : {}), off: true } })
  }
}

/**
 * Deletes the alert that policies set for the same user, system, kind and target as a user's new one, which is nearer. Its firing period ends
 * without a notification.
 */
export async function makeRoom({ user = '', system = '', name = '', target = '' }: RecordValues, context: HookContext): Promise<void> {
  const { unit, store } = context
  for (const alert of await store.loadWhere('alerts', { user, system, name, target, inherited: true }, unit)) {
    await endAlert(alert, context)
    await store.remove(unit, 'alerts', alert.id)
  }
}

async function endAlert(alert: StoredRecord, { unit, store, nowMs }: HookContext): Promise<void> {
  await deleteAlertStates(unit, alert.id)
  if (isTriggered(alert))
    await closeIncidents({ unit, records: store, nowMs }, { alert: alert.id, system: textOf(alert, 'system') }, 'closed')
}

const goesOn = (previous: StoredRecord, next: StoredRecord): boolean =>
  (['user', 'system', 'name', 'target', 'triggered'] as const).every((field) => previous[field] === next[field])

const historyOf = ({ id, user = '', system = '', name = '', value = 0 }: StoredRecord): RecordValues => ({
  user,
  system,
  name,
  value,
  alert_id: id,
})

const isTriggered = (alert: StoredRecord): boolean => alert['triggered'] === true

/**
 * Ends the firing periods of all alerts of a system without a notification, and deletes pending states. Called when the system becomes
 * `paused` or `pending` (waiting for its agent).
 */
export async function resetAlertsOf(system: StoredRecord, { unit, store, nowMs }: HookContext): Promise<void> {
  const writing = { unit, records: store satisfies RecordStore, nowMs }
  for (const alert of await store.loadWhere('alerts', { system: system.id }, unit)) {
    const loaded = { alert, rule: ruleOf(alert), system }
    await resetAlert(writing, loaded)
    await removeIdle(writing, loaded)
  }
}

/** Brings the alerts of a system that policies set up to date after a change of its trusted tags. */
export async function followTags(previous: StoredRecord, system: StoredRecord, { unit, store, nowMs }: HookContext): Promise<void> {
  if (JSON.stringify(previous['accessTags']) === JSON.stringify(system['accessTags'])) return
  await lockPolicies(unit)
  await refreshInherited({ unit, records: store, nowMs }, await store.loadWhere('alerts', { system: system.id, inherited: true }, unit))
}
