import { MOST_MINUTES, STANDARD_MINUTES, type AlertKind } from '../api/alert-kinds.ts'
import type { PolicyValues } from '../api/alert-policies.ts'
import { formatThreshold } from '../format/threshold.ts'
import { useFormats } from '../preferences/use-preferences.ts'
import type { FieldErrors } from '../ui/form-errors.ts'
import { NumberField } from '../ui/number-field.tsx'
import { SelectField } from '../ui/select-field.tsx'
import * as words from '../words/messages.js'

type ValueFieldsProps = { kind: AlertKind | undefined; values: PolicyValues; onChange: (values: PolicyValues) => void }

/**
 * React component: form fields for the values that an alert policy sets: on or off, thresholds to fire and to resolve, and delay. `kind` is
 * the alert kind, such as `CPU`. `onChange` gets all values after each change.
 */
export function ValueFields({ kind, values, onChange }: ValueFieldsProps) {
  const states = { on: words.policy_state_on(), off: words.policy_state_off(), inherit: words.policy_state_inherit() }
  const choices = (['on', 'off', 'inherit'] as const).map((value) => ({ value, label: states[value] }))
  return (
    <>
      <SelectField
        label={words.policy_field_state()}
        name="values"
        choices={choices}
        value={values.off === undefined ? 'inherit' : values.off ? 'off' : 'on'}
        onChange={(state) => onChange({ ...values, off: state === 'inherit' ? undefined : state === 'off' })}
      />
      {values.off !== true && <ActiveFields kind={kind} values={values} onChange={onChange} />}
    </>
  )
}

const hasMinutes = (kind: AlertKind | undefined): boolean => kind?.isAtOnce !== true && kind?.isForecast !== true

/**
 * React component: form fields of an alert policy's thresholds, delay and severity. The caller renders it only for a policy that does not
 * turn its alert off. `onChange` gets all values after each change.
 */
function ActiveFields({ kind, values, onChange }: ValueFieldsProps) {
  return (
    <>
      <SeverityField values={values} onChange={onChange} />
      <ThresholdFields kind={kind} values={values} onChange={onChange} />
      {hasMinutes(kind) && (
        <NumberField
          label={words.alert_minutes()}
          name="minutes"
          hint={words.policy_hint_minutes({ minutes: kind?.threshold === undefined ? 1 : STANDARD_MINUTES })}
          min={1}
          max={MOST_MINUTES}
          step={1}
          value={values.minutes}
          onCommit={(value) => onChange({ ...values, minutes: value })}
        />
      )}
      {values.severity !== 'warning' && <WarningFields kind={kind} values={values} onChange={onChange} />}
    </>
  )
}

/**
 * React component: number fields for the thresholds at which an alert policy's alert fires and resolves. Renders nothing for an alert kind
 * without thresholds. `onChange` gets all values of the policy after each change.
 */
function ThresholdFields({ kind, values, onChange }: ValueFieldsProps) {
  const formats = useFormats()
  if (kind?.threshold === undefined) return null
  const { min, max, standard } = kind.threshold
  return (
    <>
      <NumberField
        label={words.alert_threshold()}
        name="threshold"
        hint={words.policy_hint_threshold({ level: formatThreshold(standard, kind.unit ?? '', formats) })}
        min={min}
        max={max}
        value={values.threshold}
        onCommit={(value) => onChange({ ...values, threshold: value })}
      />
      <NumberField
        label={words.policy_field_clear()}
        name="clear"
        hint={words.policy_hint_clear()}
        min={min}
        max={max}
        value={values.clear}
        onCommit={(value) => onChange({ ...values, clear: value })}
      />
    </>
  )
}

/**
 * React component: dropdown list in the policy dialog for the severity (`warning`, `critical` or inherited) of the alert that the policy
 * sets. `onChange` gets all values of the policy.
 */
function SeverityField({ values, onChange }: Omit<ValueFieldsProps, 'kind'>) {
  const names = { inherit: words.policy_state_inherit(), critical: words.severity_critical(), warning: words.severity_warning() }
  return (
    <SelectField
      label={words.policy_field_severity()}
      name="severity"
      choices={(['inherit', 'critical', 'warning'] as const).map((value) => ({ value, label: names[value] }))}
      value={values.severity ?? 'inherit'}
      onChange={(severity) => onChange({ ...values, severity: severity === 'inherit' ? undefined : severity })}
    />
  )
}

/**
 * React component: fields of the policy dialog for the warning threshold and its delay. At that threshold, the alert fires as a warning
 * before it becomes critical. Renders nothing for an alert kind without thresholds.
 */
function WarningFields({ kind, values, onChange }: ValueFieldsProps) {
  if (kind?.threshold === undefined) return null
  const { min, max } = kind.threshold
  return (
    <>
      <NumberField
        label={words.policy_field_warning()}
        name="warning"
        hint={words.policy_hint_warning()}
        min={min}
        max={max}
        value={values.warning}
        onCommit={(value) => onChange({ ...values, warning: value })}
      />
      {values.warning !== undefined && hasMinutes(kind) && (
        <NumberField
          label={words.policy_field_warning_minutes()}
          name="warningMinutes"
          hint={words.policy_hint_warning_minutes()}
          min={1}
          max={MOST_MINUTES}
          step={1}
          value={values.warningMinutes}
          onCommit={(value) => onChange({ ...values, warningMinutes: value })}
        />
      )}
    </>
  )
}

/**
 * Returns error messages by field name for thresholds of a policy in the wrong order, which the hub would ignore. For an alert above a
 * value, resolving must be below the warning, and the warning below the threshold.
 */
export function thresholdErrors(kind: AlertKind | undefined, { threshold, warning, clear, severity }: PolicyValues): FieldErrors {
  const isWrong = (looser: number | undefined, limit: number | undefined): boolean =>
    looser !== undefined && limit !== undefined && (kind?.direction === 'below' ? looser <= limit : looser >= limit)
  const first = severity === 'warning' ? undefined : warning
  return {
    ...(isWrong(clear, first ?? threshold) ? { clear: words.policy_clear_wrong() } : {}),
    ...(isWrong(first, threshold) ? { warning: words.policy_clear_wrong() } : {}),
  }
}
