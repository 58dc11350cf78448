import type { RecordStore, RecordValues } from '../../records/model/record-store.ts'
import type { HookContext } from '../../records/model/collection.ts'
import type { FieldErrors } from '../../records/model/record-error.ts'
import type { StoredRecord } from '../../records/model/stored-record.ts'
import { levelKind } from '../judging/alert-kinds.ts'
import { ruleOf } from '../judging/alert-rule.ts'
import { beginAllAnew, close } from './alert-transition.ts'
import { conditionKind } from '../judging/condition-kinds.ts'
import { forgetAlert } from '../incidents/incident-store.ts'

/** What is wrong with an alert whose fields are right one by one. */
export const alertErrors = (alert: RecordValues, previous?: StoredRecord): FieldErrors => ({
  ...targetErrors(alert),
  ...thresholdErrors(alert, previous),
})

/** An alert on one part of a system says which; those of clients, on the whole of it, do not. */
function targetErrors({ name, target = '' }: RecordValues): FieldErrors {
  if (typeof name !== 'string') return {}
  const hasOne = target !== ''
  const needsOne = (levelKind(name) ?? conditionKind(name))?.isOfOne === true
  if (needsOne === hasOne) return {}
  if (needsOne) return { target: { code: 'validation_required', message: 'Cannot be blank.' } }
  return { target: { code: 'validation_invalid_value', message: `Must be empty: the alert "${name}" is about the whole system.` } }
}

/** A new threshold that nothing can ever cross, or everything does. */
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

/** Follows what a person does to an alert: what it began or ended by hand is in the history, and nobody is told. */
export async function followAlert(
  previous: StoredRecord | undefined,
  next: StoredRecord | undefined,
  { unit, store, nowMs }: HookContext,
): Promise<void> {
  if (previous !== undefined && next !== undefined && goesOn(previous, next)) return
  if (previous !== undefined) {
    await forgetAlert(unit, previous.id)
    if (isTriggered(previous)) await close({ unit, records: store, nowMs }, { alert: previous.id }, 'closed')
  }
  if (next !== undefined && isTriggered(next)) await store.insert(unit, 'alerts_history', historyOf(next))
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

/** A system that was paused, resumed or moved: what goes on ends without a word, and what waits is forgotten. */
export async function beginAnew(system: StoredRecord, { unit, store, nowMs }: HookContext): Promise<void> {
  for (const alert of await store.loadWhere('alerts', { system: system.id }, unit))
    await beginAllAnew({ unit, records: store satisfies RecordStore, nowMs }, { alert, rule: ruleOf(alert), system })
}
