import { useMutation } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { alertKind, alertKinds, MOST_MINUTES, STANDARD_MINUTES, type AlertKind } from '../api/alert-kinds.ts'
import { noPolicyValues, savePolicy, type AlertPolicy, type PolicyValues } from '../api/alert-policies.ts'
import { fieldMessagesOf } from '../api/field-messages.ts'
import { messageOf } from '../api/request-failed.ts'
import type { System } from '../api/system-record.ts'
import { countTags, mayGiveAccess } from '../api/system-tags.ts'
import { readSingleTag } from '../format/single-tag.ts'
import { formatThreshold } from '../format/threshold.ts'
import { useFormats } from '../preferences/use-preferences.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { FormError } from '../ui/form-error.tsx'
import type { FieldErrors } from '../ui/form-errors.ts'
import { Form } from '../ui/form.tsx'
import { NumberField } from '../ui/number-field.tsx'
import { SelectField } from '../ui/select-field.tsx'
import { TagField } from '../ui/tag-field.tsx'
import { TextField } from '../ui/text-field.tsx'
import * as words from '../words/messages.js'
import { policyName } from './policy-words.ts'

type PolicyDialogProps = {
  /** Alert policy that the dialog changes; `undefined` to add a policy. */
  policy: AlertPolicy | undefined
  /** List of the user's alert policies. The dialog shows an error when one of them sets the same alert on the same systems. */
  policies: readonly AlertPolicy[]
  systems: readonly System[]
  onClose: () => void
}

const newPolicy: Omit<AlertPolicy, 'id'> = {
  tag: '',
  systemId: '',
  name: 'Status',
  target: undefined,
  values: { ...noPolicyValues, off: false },
}

type Draft = Omit<AlertPolicy, 'id'> & { readonly range: 'everything' | 'tag' | 'system' }

const draftOf = (policy: Omit<AlertPolicy, 'id'>): Draft => ({
  ...policy,
  range: policy.systemId !== '' ? 'system' : policy.tag !== '' ? 'tag' : 'everything',
})

/**
 * React component: dialog that adds or changes an alert policy; it saves to the hub and then calls `onClose`. The systems and the alert
 * kind of an existing policy cannot be changed.
 */
export function PolicyDialog({ policy, policies, systems, onClose }: PolicyDialogProps) {
  const [draft, setDraft] = useState(draftOf(policy ?? newPolicy))
  const change = (some: Partial<Draft>) => setDraft((current) => ({ ...current, ...some }))
  const kind = alertKind(draft.name)
  const read = readSingleTag(draft.tag)
  const tag = draft.range === 'tag' && 'tag' in read ? read.tag : ''
  const wanted = { ...draft, tag, target: kind?.part === undefined ? undefined : draft.target?.trim() }
  const saving = useMutation({ mutationFn: () => savePolicy(wanted, policy?.id), onSuccess: onClose })
  const refused = fieldMessagesOf(saving.error)
  const check = (): FieldErrors => ({
    ...(draft.range === 'tag' && 'error' in read ? { tag: read.error } : {}),
    ...(kind?.part !== undefined && wanted.target === '' ? { target: words.problem_required() } : {}),
    ...(wanted.values.off === true ? {} : thresholdErrors(kind, wanted.values)),
    ...(policies.some((one) => one.id !== policy?.id && isSameAlert(one, wanted)) ? { name: words.policy_exists() } : {}),
  })
  return (
    <Dialog
      title={policy === undefined ? words.policy_add() : words.policy_edit_title({ policy: policyName(policy, systems) })}
      description={words.policy_dialog_about()}
      onClose={onClose}
    >
      <Form check={check} refused={refused} onSubmit={() => saving.mutate()}>
        {policy === undefined && <PlaceFields draft={draft} kind={kind} systems={systems} onChange={change} />}
        <ValueFields kind={kind} values={draft.values} onChange={(values) => change({ values })} />
        {saving.isError && Object.keys(refused).length === 0 && <FormError message={messageOf(saving.error)} />}
        <div className="mt-1 flex justify-end gap-2">
          <Button onClick={onClose}>{words.cancel()}</Button>
          <Button look="primary" type="submit" disabled={saving.isPending}>
            {words.save()}
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}

/**
 * Returns error messages by field name for thresholds of a policy in the wrong order, which the hub would ignore. For an alert above a
 * value, resolving must be below the warning, and the warning below the threshold.
 */
function thresholdErrors(kind: AlertKind | undefined, { threshold, warning, clear, severity }: PolicyValues): FieldErrors {
  const isWrong = (looser: number | undefined, limit: number | undefined): boolean =>
    looser !== undefined && limit !== undefined && (kind?.direction === 'below' ? looser <= limit : looser >= limit)
  const first = severity === 'warning' ? undefined : warning
  return {
    ...(isWrong(clear, first ?? threshold) ? { clear: words.policy_clear_wrong() } : {}),
    ...(isWrong(first, threshold) ? { warning: words.policy_clear_wrong() } : {}),
  }
}

const isSameAlert = (one: Omit<AlertPolicy, 'id' | 'values'>, other: Omit<AlertPolicy, 'id' | 'values'>): boolean =>
  one.name === other.name && one.tag === other.tag && one.systemId === other.systemId && (one.target ?? '') === (other.target ?? '')

type PlaceFieldsProps = {
  draft: Draft
  kind: AlertKind | undefined
  systems: readonly System[]
  onChange: (some: Partial<Draft>) => void
}

/**
 * React component: form fields of a new alert policy: systems (all, or those with a tag), alert kind, and for some kinds a part. `onChange`
 * gets the changed values of `draft`.
 */
function PlaceFields({ draft, kind, systems, onChange }: PlaceFieldsProps) {
  const proposals = useMemo(() => [...countTags(systems.map(({ tags }) => ({ tags: tags.filter(mayGiveAccess) }))).keys()], [systems])
  return (
    <>
      <SelectField
        label={words.policy_field_range()}
        name="range"
        choices={[
          { value: 'everything', label: words.policy_everything() },
          { value: 'tag', label: words.policy_range_tag() },
        ]}
        value={draft.range === 'system' ? 'everything' : draft.range}
        onChange={(range) => onChange({ range })}
      />
      {draft.range === 'tag' && (
        <TagField
          label={words.grant_field()}
          name="tag"
          hint={words.policy_hint_tag()}
          isSingle
          typed={draft.tag}
          proposals={proposals}
          onType={(tag) => onChange({ tag })}
          onAdd={(tag) => onChange({ tag })}
        />
      )}
      <SelectField
        label={words.policy_field_kind()}
        name="name"
        choices={alertKinds.map(({ name, label }) => ({ value: name, label: label() }))}
        value={draft.name}
        onChange={(name) =>
          onChange({ name, target: '', values: { ...noPolicyValues, off: draft.values.off, severity: draft.values.severity } })
        }
      />
      {kind?.part !== undefined && (
        <TextField
          label={words.policy_field_target()}
          name="target"
          hint={words.policy_hint_target()}
          autoComplete="off"
          value={draft.target ?? ''}
          onChange={({ target }) => onChange({ target: target.value })}
        />
      )}
    </>
  )
}

type ValueFieldsProps = { kind: AlertKind | undefined; values: PolicyValues; onChange: (values: PolicyValues) => void }

/**
 * React component: form fields for the values that an alert policy sets: on or off, thresholds to fire and to resolve, and delay. `kind` is
 * the alert kind, such as `CPU`. `onChange` gets all values after each change.
 */
function ValueFields({ kind, values, onChange }: ValueFieldsProps) {
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
 * React component: form fields of an alert policy's thresholds, delay and severity. Renders nothing for a policy that turns its alert off.
 * `onChange` gets all values after each change.
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
