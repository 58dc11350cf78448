import type { Json } from '@vedette/protocol/wire/stats-json'
import { z } from 'zod'
import { isJsonObject } from '../../platform/json.ts'
import { severities, type AlertRule } from '../judging/judgement.ts'
import { textOf, type StoredRecord } from '../../records/model/stored-record.ts'

/**
 * Maximum number of minutes in an alert policy, over which a value is averaged: 60, as in the collection `alerts`. A larger number is
 * rejected.
 */
const MOST_MINUTES = 60

/**
 * Schema of the values that an alert policy sets. An absent value is inherited from the next wider policy. `off` true turns the alert off;
 * `threshold` is in the unit of the alert kind; at `clear`, in the same unit, a firing alert resolves. At `warning` (over `warningMinutes`)
 * it fires as a warning, before it becomes critical at `threshold`. `severity` is that of an alert with one threshold or none.
 */
export const policyValues = z.strictObject({
  off: z.boolean().optional(),
  threshold: z.number().optional(),
  minutes: z.int().min(1).max(MOST_MINUTES).optional(),
  clear: z.number().positive().optional(),
  warning: z.number().optional(),
  warningMinutes: z.int().min(1).max(MOST_MINUTES).optional(),
  severity: z.enum(severities).optional(),
})
export type PolicyValues = Readonly<z.infer<typeof policyValues>>

/**
 * List of the names for the range of systems to which a policy applies, from wide to near: `everything`, `tag`, `system`. `own` is an alert
 * that its owner set on one system with all values; it is nearer than each policy.
 */
export const policyScopes = ['everything', 'tag', 'system', 'own'] as const
export type PolicyScope = (typeof policyScopes)[number]

/**
 * Alert policy: a parsed record of the collection `alert_policies`. It sets one user's alert of one kind and target on a range of systems.
 */
export type Policy = {
  readonly id: string
  readonly owner: string
  readonly scope: PolicyScope
  /** Systems to which the policy applies: a tag such as `db`, or the id of one system, depending on `scope`; `''` for all systems. */
  readonly of: string
  /** Name of the alert kind (what an alert watches) that the policy sets, such as `CPU` or `Status`. */
  readonly name: string
  /** Target of the alerts that the policy sets: a part of a system, such as a container's name; `''` for the whole system. */
  readonly target: string
  readonly values: PolicyValues
}

/**
 * Converts a record of the collection `alert_policies` to a policy. Values that cannot be read, such as those of a newer version, are left
 * out and so inherited.
 */
export function policyOf(record: StoredRecord): Policy {
  const [tag, system] = [textOf(record, 'tag'), textOf(record, 'system')]
  return {
    id: record.id,
    owner: textOf(record, 'user'),
    scope: system !== '' ? 'system' : tag !== '' ? 'tag' : 'everything',
    of: system !== '' ? system : tag,
    name: textOf(record, 'name'),
    target: textOf(record, 'target'),
    values: readableValues(record['values'] ?? null),
  }
}

/** Converts a user's own alert to a policy on its system, for comparison with other policies. */
export function ownPolicy({ id, owner, system, name, target, threshold, minutes, severity }: AlertRule): Policy {
  return { id, owner, scope: 'own', of: system, name, target, values: { off: false, threshold, minutes, severity } }
}

/**
 * Parses the stored values of an alert policy one by one. A value that is invalid, or that only a newer version knows, is left out; the
 * other values stay.
 */
function readableValues(stored: Json): PolicyValues {
  if (!isJsonObject(stored)) return {}
  const { off, threshold, minutes, clear, warning, warningMinutes, severity } = policyValues.shape
  return {
    ...known('off', off.safeParse(stored['off']).data),
    ...known('threshold', threshold.safeParse(stored['threshold']).data),
    ...known('minutes', minutes.safeParse(stored['minutes']).data),
    ...known('clear', clear.safeParse(stored['clear']).data),
    ...known('warning', warning.safeParse(stored['warning']).data),
    ...known('warningMinutes', warningMinutes.safeParse(stored['warningMinutes']).data),
    ...known('severity', severity.safeParse(stored['severity']).data),
  }
}

const known = <Name extends string, Value>(name: Name, value: Value | undefined): { readonly [name in Name]?: Value } =>
  value === undefined ? {} : ({ [name]: value } as { readonly [name in Name]?: Value })
