import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { ownValue } from '@vedette/protocol/own-value'
import { createRecord, updateRecord } from '../../api/client.ts'
import { textOf, type JsonRecord } from '../../api/json.ts'
import { fieldMessagesOf } from '../../api/field-messages.ts'
import { messageOf } from '../../api/request-failed.ts'
import { Button } from '../../ui/button.tsx'
import { FormError } from '../../ui/form-error.tsx'
import type { FieldErrors } from '../../ui/form-errors.ts'
import { Form } from '../../ui/form.tsx'
import { showToast } from '../../ui/toasts.ts'
import * as words from '../../words/messages.js'
import { refusalText } from '../forms/refusals.ts'
import { writableFields, type CollectionModel } from './collections.ts'
import { FieldInput } from './field-input.tsx'
import { draftOf, patchOf, type DraftProblem, type Patch, type RecordDraft } from './record-draft.ts'

type RecordFormProps = {
  model: CollectionModel
  /** Record of the collection that the form edits, as JSON; `undefined` to create a record. */
  record: JsonRecord | undefined
  onSaved: () => void
  onDelete: (() => void) | undefined
}

/**
 * React component: form with a control for each writable field of the record's collection (`model`). Validation errors of the hub appear at
 * their fields. With `onDelete`, it has a button for deleting the record.
 */
export function RecordForm({ model, record, onSaved, onDelete }: RecordFormProps) {
  const fields = writableFields(model).filter(({ name }) => record === undefined || name !== 'id')
  const [before] = useState(() => draftOf(fields, record))
  const [draft, setDraft] = useState<RecordDraft>(before)
  const save = useMutation({
    mutationFn: (values: JsonRecord) =>
      record === undefined ? createRecord(model.name, values) : updateRecord(model.name, textOf(record['id']) ?? '', values),
    onSuccess: () => {
      showToast({ title: words.office_saved() })
      onSaved()
    },
  })
  const submit = () => {
    const sent = patchOf(fields, before, draft)
    if (sent.ok) save.mutate(sent.values)
  }
  const refused = fieldMessagesOf(save.error)
  return (
    <Form className="flex flex-col gap-3.5" check={() => worded(patchOf(fields, before, draft))} refused={refused} onSubmit={submit}>
      {fields.map((field) => (
        <FieldInput
          key={field.name}
          field={field}
          value={ownValue(draft, field.name) ?? ''}
          onChange={(value) => setDraft((current) => ({ ...current, [field.name]: value }))}
        />
      ))}
      {save.isError && <FormError message={refusalText(save.error, refused, (name) => fields.some((field) => field.name === name))} />}
      <div className="flex flex-wrap gap-2">
        <Button look="primary" type="submit" disabled={save.isPending}>
          {words.save()}
        </Button>
        {record !== undefined && model.isAuth && <EndSessions collection={model.name} id={textOf(record['id']) ?? ''} />}
        {onDelete !== undefined && (
          <Button look="danger" className="ml-auto" onClick={onDelete}>
            {words.delete_action()}
          </Button>
        )}
      </div>
    </Form>
  )
}

const inWords: Readonly<Record<DraftProblem, () => string>> = {
  'no JSON': words.office_not_json,
  'no number': words.problem_not_a_number,
  'no tag': words.problem_tag_invalid,
}

const worded = (sent: Patch): FieldErrors =>
  sent.ok ? {} : Object.fromEntries(Object.entries(sent.errors).map(([name, problem]) => [name, inWords[problem]()]))

/**
 * React component: button that ends all sessions of the user account `id`, by saving a new random token key in its record. This page
 * generates the key.
 */
function EndSessions({ collection, id }: { collection: string; id: string }) {
  const end = useMutation({
    mutationFn: () => updateRecord(collection, id, { tokenKey: newKey() }),
    onSuccess: () => showToast({ title: words.office_sessions_ended() }),
    onError: (error) => showToast({ title: words.office_not_saved(), description: messageOf(error), look: 'destructive' }),
  })
  return (
    <Button disabled={end.isPending} onClick={() => end.mutate()}>
      {words.office_end_sessions()}
    </Button>
  )
}

const KEY_BYTES = 25
const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(KEY_BYTES)), (byte) => byte.toString(16).padStart(2, '0')).join('')
