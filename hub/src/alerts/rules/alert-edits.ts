import type { RecordStore, RecordValues } from '../../records/model/record-store.ts'
import type { HookContext } from '../../records/model/collection.ts'
import { textOf, type StoredRecord } from '../../records/model/stored-record.ts'
import { isJsonObject } from '../../platform/json.ts'
import { ruleOf } from '../judging/judgement.ts'
import { isInherited, lockPolicies, refreshInherited, removeIdle } from '../policies/inherited-alerts.ts'
import { resetAlert, closeIncidents, deleteAlertStates } from '../transitions/alert-transition.ts'

/**
 * Hook that runs when an alert rule is created, changed or deleted. A deletion, or a change of user, system, kind, target or `triggered`,
 * deletes the rule's states and ends its firing periods without a notification. An alert that is then `triggered`, as in imported data,
 * gets an entry of `alerts_history`. Other edits change nothing. Deleting an alert that comes from a policy also turns it off.
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

/**
 * Turns an alert off for one user, system, kind and target, by storing a policy for that system with `off`. Called when the user deletes an
 * alert that a policy for more systems would set again.
 */
export async function turnOff(alert: RecordValues, { unit, store }: Pick<HookContext, 'unit' | 'store'>): Promise<void> {
  const { user = '', system = '', name = '', target = '' } = alert
  const [policy] = await store.loadWhere('alert_policies', { user, system, name, target }, unit)
  if (policy === undefined) await store.insert(unit, 'alert_policies', { user, system, name, target, values: { off: true } })
  else {
    const { values = null } = policy
    await store.update(unit, 'alert_policies', policy.id, { values: { ...(isJsonObject(values) ? values : {}), off: true } })
  }
}

/**
 * Deletes the alert record that a policy has set for the same user, system, kind and target, because the user creates an own alert. Its
 * firing period ends without a notification.
 */
export async function replaceInherited(
  { user = '', system = '', name = '', target = '' }: RecordValues,
  context: HookContext,
): Promise<void> {
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

/**
 * Updates the alerts of a system that come from policies, if its `accessTags` changed. Those are its tags from admins and admins' tokens,
 * to which policies apply.
 */
export async function followTags(previous: StoredRecord, system: StoredRecord, { unit, store, nowMs }: HookContext): Promise<void> {
  if (JSON.stringify(previous['accessTags']) === JSON.stringify(system['accessTags'])) return
  await lockPolicies(unit)
  await refreshInherited({ unit, records: store, nowMs }, await store.loadWhere('alerts', { system: system.id, inherited: true }, unit))
}
