import type { Json } from '@vedette/protocol/wire/stats-json'
import type { HookContext } from '../../records/model/collection.ts'
import type { FieldError, FieldErrors } from '../../records/model/record-error.ts'
import type { RecordValues } from '../../records/model/record-store.ts'
import type { StoredRecord } from '../../records/model/stored-record.ts'
import { isJsonObject } from '../../platform/json.ts'
import { alertErrors } from '../judging/alert-errors.ts'
import { loadInheritedAlerts, lockPolicies, refreshInherited } from './inherited-alerts.ts'
import { policyValues } from './policy.ts'

/**
 * Checks a policy record, and returns errors by field name; `{}` if it is valid. Errors are both a tag and a system, a wrong target, or
 * wrong values (`off`, `threshold`, `minutes`, `clear`, `warning`, `warningMinutes`, `severity`).
 */
export function policyErrors({ tag = '', system = '', name = '', target = '', values = null }: RecordValues): FieldErrors {
  const threshold = isJsonObject(values) ? values['threshold'] : undefined
  const { value, ...errors } = alertErrors({ name, target, ...(threshold === undefined ? {} : { value: threshold }) })
  const problem = valuesError(values) ?? value
  const hasBoth = tag !== '' && system !== ''
  return {
    ...errors,
    ...(hasBoth ? { system: { code: 'validation_invalid_value', message: 'Must be empty for a policy with a tag.' } } : {}),
    ...(problem === undefined ? {} : { values: problem }),
  }
}

function valuesError(values: Json): FieldError | undefined {
  const parsed = policyValues.safeParse(values ?? {})
  return parsed.success ? undefined : { code: 'validation_invalid_value', message: valuesProblem(parsed.error.issues[0]) }
}

const valuesProblem = (issue: { readonly path: readonly PropertyKey[]; readonly message: string } | undefined): string =>
  issue === undefined || issue.path.length === 0
    ? 'Must be an object with "off", "threshold", "minutes", "clear", "warning", "warningMinutes" or "severity".'
    : `"${issue.path.join('.')}" is wrong: ${issue.message}.`

/**
 * Hook that runs in the transaction in which a user creates, changes or deletes an alert policy. It updates the alert records that come
 * from policies of this kind and target, without notifications.
 */
export async function followPolicy(
  previous: StoredRecord | undefined,
  next: StoredRecord | undefined,
  { unit, store, nowMs }: HookContext,
): Promise<void> {
  await lockPolicies(unit)
  for (const policy of [previous, next])
    if (policy !== undefined) await refreshInherited({ unit, records: store, nowMs }, await loadInheritedAlerts(unit, store, policy))
}
