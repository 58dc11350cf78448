import type { DefinedField } from '../../../api/system-notes.ts'
import { NumberField } from '../../../ui/number-field.tsx'
import { TextField } from '../../../ui/text-field.tsx'

/** Maximum length of a text in a defined field. */
const LONGEST_VALUE = 500

type ValueFieldProps = { field: DefinedField; value: string | number | undefined; onChange: (value: string | number | undefined) => void }

/** React component: form field for the value of a defined field, by its kind. An empty form field = no value. */
export function ValueField({ field: { id, name, kind, unit }, value, onChange }: ValueFieldProps) {
  const label = unit === '' ? name : `${name} (${unit})`
  if (kind === 'number' || kind === 'price')
    return <NumberField label={label} name={id} value={typeof value === 'number' ? value : undefined} onCommit={onChange} />
  return (
    <TextField
      label={label}
      name={id}
      type={kind === 'date' ? 'date' : 'text'}
      maxLength={kind === 'date' ? undefined : LONGEST_VALUE}
      autoComplete="off"
      value={value ?? ''}
      onChange={({ target }) => onChange(target.value === '' ? undefined : target.value)}
    />
  )
}
