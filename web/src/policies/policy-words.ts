import { alertLabel, type AlertKind } from '../api/alert-kinds.ts'
import type { AlertPolicy } from '../api/alert-policies.ts'
import type { System } from '../api/system-record.ts'
import type { NumberFormats } from '../format/formats.ts'
import { formatThreshold } from '../format/threshold.ts'
import * as words from '../words/messages.js'

/**
 * Returns the translated name of an alert policy, such as "CPU usage, env=prod": its alert, and its systems (all, a tag, or one system).
 */
export function policyName({ name, target, tag, systemId }: Omit<AlertPolicy, 'id' | 'values'>, systems: readonly System[]): string {
  const system = systems.find(({ id }) => id === systemId)?.name ?? words.policy_system_gone()
  const range = systemId !== '' ? system : tag !== '' ? tag : words.policy_everything()
  return words.policy_name({ alert: alertLabel(name, target), range })
}

/**
 * Returns the values that an alert policy sets, such as "90 %, 5 min", as translated text. For a policy that turns its alert off or sets
 * nothing, the text says so. `kind` is `undefined` for an alert kind that this dashboard does not know.
 */
export function policyText({ values }: AlertPolicy, kind: AlertKind | undefined, formats: NumberFormats): string {
  const { off, threshold, minutes, clear, warning, warningMinutes, severity } = values
  const shownLevel = (level: number): string => formatThreshold(level, kind?.unit ?? '', formats)
  if (off === true) return words.policy_state_off()
  const shown = [
    ...(off === false ? [words.policy_state_on()] : []),
    ...(threshold === undefined ? [] : [shownLevel(threshold)]),
    ...(clear === undefined ? [] : [words.policy_clears({ level: shownLevel(clear) })]),
    ...(minutes === undefined ? [] : [words.policy_minutes({ minutes })]),
    ...(severity === undefined ? [] : [severity === 'warning' ? words.severity_warning() : words.severity_critical()]),
    ...(warning === undefined ? [] : [words.policy_warns({ level: shownLevel(warning) })]),
    ...(warningMinutes === undefined ? [] : [words.policy_minutes({ minutes: warningMinutes })]),
  ]
  return shown.length === 0 ? words.policy_inherits() : shown.join(', ')
}
