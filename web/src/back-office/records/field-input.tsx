import { ownValue } from '@vedette/protocol/own-value'
import { cn } from '../../ui/cn.ts'
import { TextField } from '../../ui/text-field.tsx'
import * as words from '../../words/messages.js'
import { ChoiceField } from '../forms/choice-field.tsx'
import { FieldFrame } from '../forms/field-frame.tsx'
import type { FieldModel } from './collections.ts'
import { RelationInput, type LabelledField } from './relation-input.tsx'

/** What one field of a record is written with, by its type. */
export function FieldInput({ field, value, error, onChange }: Omit<LabelledField, 'label'>) {
  const label = field.isRequired ? `${field.name} *` : field.name
  switch (field.type) {
    case 'bool':
      return (
        <label className="flex min-h-8 items-center gap-2 font-medium">
          <input type="checkbox" checked={value === true} onChange={({ target }) => onChange(target.checked)} className="size-4" />
          {label}
          {error !== undefined && <span className="text-small font-normal text-crit">{error}</span>}
        </label>
      )
    case 'select':
      return <ChoiceField label={label} choices={choicesOf(field)} value={String(value)} error={error} onChange={onChange} />
    case 'json':
      return <JsonInput label={label} value={String(value)} error={error} onChange={onChange} />
    case 'relation':
      return <RelationInput label={label} field={field} value={value} error={error} onChange={onChange} />
    default:
      return (
        <TextField
          label={label}
          type={ownValue(inputTypes, field.type) ?? 'text'}
          autoComplete={field.type === 'password' ? 'new-password' : 'off'}
          value={String(value)}
          hint={ownValue(hints, field.type)?.()}
          error={error}
          onChange={({ target }) => onChange(target.value)}
        />
      )
  }
}

const inputTypes: Readonly<Record<string, string>> = { password: 'password', email: 'email' }

const hints: Readonly<Record<string, (() => string) | undefined>> = { date: words.office_date_hint, password: words.office_password_hint }

const choicesOf = ({ values }: FieldModel) => [{ value: '', label: '–' }, ...values.map((value) => ({ value, label: value }))]

const JSON_ROWS = 6

const JsonInput = ({ label, value, error, onChange }: Omit<LabelledField, 'value' | 'field'> & { value: string }) => (
  <FieldFrame label={label} error={error}>
    {(given) => (
      <textarea
        {...given}
        rows={JSON_ROWS}
        spellCheck={false}
        value={value}
        onChange={({ target }) => onChange(target.value)}
        className={cn(
          'rounded-control border bg-surface px-2.5 py-1.5 font-mono text-small',
          error === undefined ? 'border-control-border' : 'border-crit',
        )}
      />
    )}
  </FieldFrame>
)
