import { useMutation } from '@tanstack/react-query'
import { useId, useState, type ReactNode } from 'react'
import { ownValue } from '@vedette/protocol/own-value'
import type { JsonRecord } from '../../api/json.ts'
import { messageOf } from '../../api/request-failed.ts'
import { Button } from '../../ui/button.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { Switch } from '../../ui/switch.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { showToast } from '../../ui/toasts.ts'
import * as words from '../../words/messages.js'
import { ChoiceField } from './choice-field.tsx'
import { changeOf, typedOf, type FormField } from './form-field.ts'
import { LinesField } from './lines-field.tsx'
import { isAbout, refusalOf, refusalsOf } from './refusals.ts'

type SettingsFormProps = {
  fields: readonly FormField[]
  stored: unknown
  /** Where the hub names the fields of this form when it refuses some: what stands before their paths. */
  refusedBelow?: string
  /** Sends what was changed. */
  save: (change: JsonRecord) => Promise<unknown>
  /** Draws an action below the button; `isStored`: the hub holds what the fields show. */
  renderAction?: (isStored: boolean) => ReactNode
}

/** Settings as a form. What the hub refuses is shown at the field it is about; the rest stays as typed. */
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
  const elsewhere = Object.entries(wrong).filter(([path]) => !fields.some((field) => isAbout(refusedBelow + field.path, path)))
  return (
    <form
      noValidate
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        saving.mutate()
      }}
    >
      {fields.map((field) => (
        <SettingField
          key={field.path}
          field={field}
          value={ownValue(typed, field.path) ?? ''}
          error={refusalOf(wrong, refusedBelow + field.path)}
          onChange={(value) => setEdits({ ...edits, [field.path]: value })}
        />
      ))}
      {saving.isError && (
        <FormError message={[messageOf(saving.error), ...elsewhere.map(([path, text]) => `${path}: ${text}`)].join(' ')} />
      )}
      <Button look="primary" type="submit" className="self-start" disabled={saving.isPending || !isChanged}>
        {words.save()}
      </Button>
      {renderAction?.(!isChanged && !saving.isPending)}
    </form>
  )
}

type SettingFieldProps = {
  field: FormField
  value: string | boolean
  error: string | undefined
  onChange: (value: string | boolean) => void
}

function SettingField({ field, value, error, onChange }: SettingFieldProps) {
  const id = useId()
  const { label, hint, type, choices = [] } = field
  if (type === 'flag') {
    return (
      <div className="flex items-center gap-3">
        <span id={id} className="flex-1 font-medium">
          {label}
          {(error ?? hint) !== undefined && (
            <span className={error === undefined ? 'block text-small font-normal text-muted' : 'block text-small font-normal text-crit'}>
              {error ?? hint}
            </span>
          )}
        </span>
        <Switch labelledBy={id} isOn={value === true} onChange={onChange} />
      </div>
    )
  }
  if (type === 'lines') return <LinesField label={label} hint={hint} error={error} value={String(value)} onChange={onChange} />
  if (type === 'choice') return <ChoiceField label={label} choices={choices} value={String(value)} error={error} onChange={onChange} />
  return (
    <TextField
      label={label}
      hint={hint}
      error={error}
      type={type === 'secret' ? 'password' : 'text'}
      inputMode={type === 'number' ? 'numeric' : undefined}
      autoComplete={type === 'secret' ? 'new-password' : 'off'}
      value={String(value)}
      onChange={({ target }) => onChange(target.value)}
    />
  )
}
