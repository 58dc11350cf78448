import { useId } from 'react'
import { cn } from '../../ui/cn.ts'
import { TextField } from '../../ui/text-field.tsx'
import * as words from '../../words/messages.js'
import { ChoiceField } from '../forms/choice-field.tsx'
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
          type={inputTypes[field.type] ?? 'text'}
          autoComplete={field.type === 'password' ? 'new-password' : 'off'}
          value={String(value)}
          hint={hints[field.type]?.()}
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

function JsonInput({ label, value, error, onChange }: Omit<LabelledField, 'value' | 'field'> & { value: string }) {
  const id = useId()
  return (
    <div className="flex flex-col gap-1">
      <label htmlFor={id} className="text-note font-medium">
        {label}
      </label>
      <textarea
        id={id}
        rows={JSON_ROWS}
        spellCheck={false}
        value={value}
        aria-invalid={error !== undefined}
        aria-describedby={error === undefined ? undefined : `${id}-note`}
        onChange={({ target }) => onChange(target.value)}
        className={cn(
          'rounded-control border bg-surface px-2.5 py-1.5 font-mono text-small',
          error === undefined ? 'border-control-border' : 'border-crit',
        )}
      />
      {error !== undefined && (
        <p id={`${id}-note`} className="text-small text-crit">
          {error}
        </p>
      )}
    </div>
  )
}
