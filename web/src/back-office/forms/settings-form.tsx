import { useMutation } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { ownValue } from '@vedette/protocol/own-value'
import type { JsonRecord } from '../../api/json.ts'
import { Button } from '../../ui/button.tsx'
import { FormError } from '../../ui/form-error.tsx'
import type { FieldErrors } from '../../ui/form-errors.ts'
import { Form } from '../../ui/form.tsx'
import { NumberField } from '../../ui/number-field.tsx'
import { SelectField } from '../../ui/select-field.tsx'
import { SwitchField } from '../../ui/switch-field.tsx'
import { TextAreaField } from '../../ui/text-area-field.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { showToast } from '../../ui/toasts.ts'
import * as words from '../../words/messages.js'
import { changeOf, typedOf, type FormField } from './form-field.ts'
import { isAbout, refusalOf, refusalsOf, refusalText } from './refusals.ts'

type SettingsFormProps = {
  fields: readonly FormField[]
  stored: unknown
  /**
   * Prefix of the paths in the hub's validation messages that the form's field paths lack, such as `oauth2.providers.0.`. The form's field
   * `clientId` then gets the message for `oauth2.providers.0.clientId`. Empty by default.
   */
  refusedBelow?: string
  /**
   * Function that saves changed settings at the hub. `change` has only the changed fields, nested by path. It rejects with RequestFailed,
   * which has the hub's validation messages.
   */
  save: (change: JsonRecord) => Promise<unknown>
  /**
   * Function that renders one more control below the save button of the settings form, such as a test. `isStored` is true when the form has
   * no unsaved changes.
   */
  renderAction?: (isStored: boolean) => ReactNode
}

/**
 * React component: form for the hub's settings `stored`, with a control for each of the `fields` and a save button. When the hub rejects
 * values, the typed values stay, and the messages appear at their fields.
 */
export function SettingsForm({ fields, stored, refusedBelow = '', save, renderAction }: SettingsFormProps) {
  const before = typedOf(fields, stored)
  const [edits, setEdits] = useState<Readonly<Record<string, string | boolean>>>({})
  const typed = { ...before, ...edits }
  const change = changeOf(fields, before, typed)
  const isChanged = Object.keys(change).length > 0
  const saving = useMutation({
    mutationFn: () => save(change),
    onSuccess: () => {
      setEdits({})
      showToast({ title: words.office_saved() })
    },
  })
  const wrong = refusalsOf(saving.error)
  return (
    <Form refused={atFields(fields, wrong, refusedBelow)} onSubmit={() => saving.mutate()}>
      {fields.map((field) => (
        <SettingField
          key={field.path}
          field={field}
          value={ownValue(typed, field.path) ?? ''}
          onChange={(value) => setEdits({ ...edits, [field.path]: value })}
        />
      ))}
      {saving.isError && (
        <FormError message={refusalText(saving.error, wrong, (path) => fields.some((field) => isAbout(refusedBelow + field.path, path)))} />
      )}
      <Button look="primary" type="submit" className="self-start" disabled={saving.isPending || !isChanged}>
        {words.save()}
      </Button>
      {renderAction?.(!isChanged && !saving.isPending)}
    </Form>
  )
}

const LEAST_ROWS = 2
const MOST_ROWS = 8

type SettingFieldProps = {
  field: FormField
  value: string | boolean
  onChange: (value: string | boolean) => void
}

function SettingField({ field, value, onChange }: SettingFieldProps) {
  const { path: name, label, hint, type, choices = [] } = field
  if (type === 'flag') return <SwitchField label={label} name={name} hint={hint} isOn={value === true} onChange={onChange} />
  const text = String(value)
  if (type === 'lines') {
    const rows = Math.min(MOST_ROWS, Math.max(LEAST_ROWS, text.split('\n').length))
    return <TextAreaField label={label} name={name} hint={hint} rows={rows} value={text} onChange={onChange} />
  }
  if (type === 'choice') return <SelectField label={label} name={name} hint={hint} choices={choices} value={text} onChange={onChange} />
  if (type === 'number') {
    return (
      <NumberField
        label={label}
        name={name}
        hint={hint}
        value={text === '' ? undefined : Number(text)}
        onCommit={(number) => onChange(number === undefined ? '' : String(number))}
      />
    )
  }
  return (
    <TextField
      label={label}
      name={name}
      hint={hint}
      type={type === 'secret' ? 'password' : 'text'}
      autoComplete={type === 'secret' ? 'new-password' : 'off'}
      value={text}
      onChange={({ target }) => onChange(target.value)}
    />
  )
}

/**
 * Converts the hub's validation messages `wrong`, an object by the hub's field paths, to an object by the paths of this form's fields. A
 * form path is the hub's path without the prefix `below`.
 */
const atFields = (fields: readonly FormField[], wrong: FieldErrors, below: string): FieldErrors =>
  Object.fromEntries(
    fields.flatMap(({ path }) => {
      const refusal = refusalOf(wrong, below + path)
      return refusal === undefined ? [] : [[path, refusal]]
    }),
  )
