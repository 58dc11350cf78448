import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { fieldMessagesOf } from '../../../api/field-messages.ts'
import { messageOf } from '../../../api/request-failed.ts'
import { defineField, deleteField, fieldKinds, type DefinedField, type DefinedKind } from '../../../api/system-notes.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { FormError } from '../../../ui/form-error.tsx'
import { Form } from '../../../ui/form.tsx'
import { SelectField } from '../../../ui/select-field.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import * as words from '../../../words/messages.js'

const kindNames: Readonly<Record<DefinedKind, () => string>> = {
  text: words.field_kind_text,
  number: words.field_kind_number,
  date: words.field_kind_date,
  price: words.field_kind_price,
}

/**
 * React component: dialog in which admins define and delete the fields, such as a location, that every system has. `fields` are those that
 * exist.
 */
export function FieldsDialog({ fields, onClose }: { fields: readonly DefinedField[]; onClose: () => void }) {
  const [doomed, setDoomed] = useState<DefinedField>()
  /** Number of fields that this dialog has created. The form is emptied after each, but not when another client creates one. */
  const [created, setCreated] = useState(0)
  const removal = useMutation({ mutationFn: deleteField, onSuccess: () => setDoomed(undefined) })
  if (doomed !== undefined)
    return (
      <Dialog
        role="alertdialog"
        title={words.note_field_delete_title({ name: doomed.name })}
        description={words.note_field_delete_about()}
        onClose={() => setDoomed(undefined)}
      >
        {removal.isError && <FormError message={messageOf(removal.error)} />}
        <div className="mt-1 flex justify-end gap-2">
          <Button onClick={() => setDoomed(undefined)}>{words.cancel()}</Button>
          <Button look="danger" disabled={removal.isPending} onClick={() => removal.mutate(doomed)}>
            {words.remove_address()}
          </Button>
        </div>
      </Dialog>
    )
  return (
    <Dialog title={words.note_fields()} description={words.note_fields_about()} onClose={onClose}>
      {fields.length === 0 && <p className="py-1 text-note text-muted">{words.note_fields_none()}</p>}
      <ul className="divide-y divide-border">
        {fields.map((field) => (
          <li key={field.id} className="flex min-h-11 items-center gap-3 py-1.5">
            <span className="min-w-0 flex-1 wrap-anywhere">
              {field.name}{' '}
              <span className="text-note text-muted">
                {kindNames[field.kind]()}
                {field.unit !== '' && ` (${field.unit})`}
              </span>
            </span>
            <Button aria-label={words.note_field_delete_named({ name: field.name })} onClick={() => setDoomed(field)}>
              {words.remove_address()}
            </Button>
          </li>
        ))}
      </ul>
      <NewField key={created} onCreated={() => setCreated(created + 1)} />
      <div className="flex justify-end">
        <Button onClick={onClose}>{words.close()}</Button>
      </div>
    </Dialog>
  )
}

/**
 * React component: form in which an admin defines one more field for all systems: name, kind (text, number, date, price) and unit.
 * `onCreated` is called after the hub has stored it.
 */
function NewField({ onCreated }: { onCreated: () => void }) {
  const [kind, setKind] = useState<DefinedKind>('text')
  const creation = useMutation({ mutationFn: defineField, onSuccess: onCreated })
  const refused = fieldMessagesOf(creation.error)
  return (
    <Form
      className="flex flex-wrap items-start gap-2"
      refused={refused}
      onSubmit={(textOf) => creation.mutate({ name: textOf('name'), kind, unit: textOf('unit') })}
    >
      {/* Nobody can type while a field is created, because the form is emptied then. */}
      <fieldset className="contents" disabled={creation.isPending}>
        <TextField label={words.field_name()} name="name" required maxLength={60} autoComplete="off" className="min-w-36 flex-1" />
        <SelectField
          label={words.note_field_kind()}
          name="kind"
          choices={fieldKinds.map((value) => ({ value, label: kindNames[value]() }))}
          value={kind}
          onChange={setKind}
        />
        <TextField
          label={kind === 'price' ? words.note_field_currency() : words.note_field_unit()}
          name="unit"
          maxLength={20}
          autoComplete="off"
          className="w-24"
        />
        <Button type="submit" className="mt-6 h-9" disabled={creation.isPending}>
          {words.add()}
        </Button>
      </fieldset>
      {creation.isError && Object.keys(refused).length === 0 && <FormError message={messageOf(creation.error)} />}
    </Form>
  )
}
