import type { RecordValues } from '../../records/model/record-store.ts'
import type { FieldErrors } from '../../records/model/record-error.ts'
import type { StoredRecord } from '../../records/model/stored-record.ts'
import { conditionKind, levelKind } from './alert-kinds.ts'

/**
 * Returns those errors of an alert rule (record of `alerts`) that depend on several fields, by field name. They are about a missing or
 * needless target, and a bad threshold. `{}` when it is valid. An unchanged threshold of `previous` is not checked.
 */
export const alertErrors = (alert: RecordValues, previous?: StoredRecord): FieldErrors => ({
  ...targetErrors(alert),
  ...thresholdErrors(alert, previous),
})

/**
 * Checks the target of an alert rule, and returns errors by field name; `{}` if it is valid. Rules on one part of a system, such as a
 * container, need a target; others must not have one.
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
 * Returns the errors of a new or changed threshold of an alert rule, by field name; `{}` if it is valid or unchanged. Negative values
 * (except for temperatures) and percentages above 100 are not allowed.
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
