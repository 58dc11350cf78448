import type { AlertKind } from '../../api/alert-kinds.ts'
import { noPolicyValues, type AlertPolicy, type PolicyValues } from '../../api/alert-policies.ts'
import type { SystemAlert } from '../../api/system-alerts.ts'

/** Alert rule that a card of the alert sheet shows, also one that is just being saved: its thresholds and delay. */
export type ShownRule = Pick<SystemAlert, 'severity' | 'levels' | 'isOwn'> & { readonly value: number; readonly minutes: number }

type PolicySubject = { readonly kind: AlertKind; readonly systemId: string; readonly target: string | undefined }

/**
 * Returns the alert policy for one system with which the form begins. It is the `stored` policy, if the system has one. It gets the values
 * of the shown rule if there is none, or if the user's own rule has replaced its values.
 */
export function systemPolicy(
  { kind, systemId, target }: PolicySubject,
  rule: ShownRule,
  stored: AlertPolicy | undefined,
): Omit<AlertPolicy, 'id'> {
  const values: PolicyValues = {
    ...noPolicyValues,
    ...(stored?.values ?? rule.levels),
    off: false,
    threshold: rule.value,
    minutes: kind.isForecast === true ? undefined : rule.minutes,
    severity: rule.severity === 'warning' ? 'warning' : undefined,
  }
  return { tag: '', systemId, name: kind.name, target, values: stored === undefined || rule.isOwn ? values : stored.values }
}
