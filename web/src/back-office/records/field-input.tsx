import { ownValue } from '@vedette/protocol/own-value'
import { NumberField } from '../../ui/number-field.tsx'
import { SelectField } from '../../ui/select-field.tsx'
import { SwitchField } from '../../ui/switch-field.tsx'
import { TextAreaField } from '../../ui/text-area-field.tsx'
import { TextField } from '../../ui/text-field.tsx'
import * as words from '../../words/messages.js'
import type { FieldModel } from './collections.ts'
import { LabelsInput } from './labels-input.tsx'
import { tagChoiceOf, typedText } from './record-draft.ts'
import { RelationInput, type RecordField } from './relation-input.tsx'

/**
 * React component: form control for one `field` of a record. Its type determines the control: switch, select, number, JSON, tags, relation
 * or text. `value` is the form value by type, such as text as typed.
 */
export function FieldInput({ field, value, onChange }: Omit<RecordField, 'label'>) {
  const { name } = field
  const label = field.isRequired ? `${field.name} *` : field.name
  switch (field.type) {
    case 'bool':
      return <SwitchField label={label} name={name} isOn={value === true} onChange={onChange} />
    case 'select':
      return <SelectField label={label} name={name} choices={choicesOf(field)} value={typedText(value)} onChange={onChange} />
    case 'number':
      return (
        <NumberField
          label={label}
          name={name}
          value={value === '' ? undefined : Number(value)}
          onCommit={(number) => onChange(number === undefined ? '' : String(number))}
        />
      )
    case 'json':
      return <TextAreaField label={label} name={name} rows={JSON_ROWS} value={typedText(value)} onChange={onChange} />
    case 'labels':
      return <LabelsInput label={label} name={name} choice={tagChoiceOf(value)} onChange={onChange} />
    case 'relation':
      return <RelationInput label={label} field={field} value={value} onChange={onChange} />
    default:
      return <TextInput label={label} field={field} value={value} onChange={onChange} />
  }
}

/**
 * React component: single-line input of the back-office for a record field, such as a text, date or password; the field's type determines
 * the input type.
 */
const TextInput = ({ label, field: { name, type }, value, onChange }: RecordField) => (
  <TextField
    label={label}
    name={name}
    // The hub validates email addresses, as all other fields.
    inputMode={type === 'email' ? 'email' : undefined}
    type={type === 'password' ? 'password' : 'text'}
    autoComplete={type === 'password' ? 'new-password' : 'off'}
    value={typedText(value)}
    hint={ownValue(hints, type)?.()}
    onChange={({ target }) => onChange(target.value)}
  />
)

const hints: Readonly<Record<string, (() => string) | undefined>> = { date: words.office_date_hint, password: words.office_password_hint }

const choicesOf = ({ values }: FieldModel) => [{ value: '', label: '–' }, ...values.map((value) => ({ value, label: value }))]

const JSON_ROWS = 6
