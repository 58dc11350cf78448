import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { alertKind } from '../api/alert-kinds.ts'
import { savePolicy, type AlertPolicy } from '../api/alert-policies.ts'
import { fieldMessagesOf } from '../api/field-messages.ts'
import { messageOf } from '../api/request-failed.ts'
import { alertQueue } from '../api/system-alerts.ts'
import type { System } from '../api/system-record.ts'
import { readSingleTag } from '../format/single-tag.ts'
import { Button } from '../ui/button.tsx'
import { FormError } from '../ui/form-error.tsx'
import type { FieldErrors } from '../ui/form-errors.ts'
import { Form } from '../ui/form.tsx'
import * as words from '../words/messages.js'
import { PlaceFields, type PolicyDraft } from './place-fields.tsx'
import { thresholdErrors, ValueFields } from './value-fields.tsx'

type PolicyFormProps = {
  /** Systems, alert kind and values with which the form begins. */
  start: Omit<AlertPolicy, 'id'>
  /** Id of the alert policy that the form changes; `undefined` to add a policy. */
  policyId: string | undefined
  /** List of the user's alert policies. The form shows an error when one of them sets the same alert on the same systems. */
  policies: readonly AlertPolicy[]
  /** Systems whose tags the form proposes for the range of a new policy. Absent: range and alert kind are those of `start`. */
  rangeOf?: readonly System[]
  /** Called after the policy is saved, before `onClose`. When it rejects, the form stays open and shows the error. */
  afterSave?: () => Promise<unknown>
  onClose: () => void
}

const draftOf = (policy: Omit<AlertPolicy, 'id'>): PolicyDraft => ({
  ...policy,
  range: policy.systemId !== '' ? 'system' : policy.tag !== '' ? 'tag' : 'everything',
})

/** React component: form that adds or changes an alert policy; it saves to the hub and then calls `onClose`. */
export function PolicyForm({ start, policyId, policies, rangeOf, afterSave, onClose }: PolicyFormProps) {
  const [draft, setDraft] = useState(draftOf(start))
  // A policy that is saved although `afterSave` failed is changed by the next attempt.
  const [savedId, setSavedId] = useState(policyId)
  const change = (some: Partial<PolicyDraft>) => setDraft((current) => ({ ...current, ...some }))
  const kind = alertKind(draft.name)
  const read = readSingleTag(draft.tag)
  const tag = draft.range === 'tag' && 'tag' in read ? read.tag : ''
  const wanted = { ...draft, tag, target: kind?.part === undefined ? undefined : draft.target?.trim() }
  const saving = useMutation({
    mutationFn: async () => {
      setSavedId(await savePolicy(wanted, savedId))
      await afterSave?.()
    },
    scope: alertQueue(wanted),
    onSuccess: onClose,
  })
  const refused = fieldMessagesOf(saving.error)
  const hasField = (name: string): boolean => name === 'values' || (rangeOf !== undefined && ['tag', 'name', 'target'].includes(name))
  const check = (): FieldErrors => ({
    ...(draft.range === 'tag' && 'error' in read ? { tag: read.error } : {}),
    ...(kind?.part !== undefined && wanted.target === '' ? { target: words.problem_required() } : {}),
    ...(wanted.values.off === true ? {} : thresholdErrors(kind, wanted.values)),
    ...(policies.some((one) => one.id !== savedId && isSameAlert(one, wanted)) ? { name: words.policy_exists() } : {}),
  })
  return (
    <Form check={check} refused={refused} onSubmit={() => saving.mutate()}>
      {rangeOf !== undefined && <PlaceFields draft={draft} kind={kind} systems={rangeOf} onChange={change} />}
      <ValueFields kind={kind} values={draft.values} onChange={(values) => change({ values })} />
      {saving.isError && !Object.keys(refused).some(hasField) && <FormError message={messageOf(saving.error)} />}
      <div className="mt-1 flex justify-end gap-2">
        <Button onClick={onClose}>{words.cancel()}</Button>
        <Button look="primary" type="submit" disabled={saving.isPending}>
          {words.save()}
        </Button>
      </div>
    </Form>
  )
}

const isSameAlert = (one: Omit<AlertPolicy, 'id' | 'values'>, other: Omit<AlertPolicy, 'id' | 'values'>): boolean =>
  one.name === other.name && one.tag === other.tag && one.systemId === other.systemId && (one.target ?? '') === (other.target ?? '')
