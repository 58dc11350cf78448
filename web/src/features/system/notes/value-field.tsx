import type { DefinedField } from '../../../api/system-notes.ts'
import { NumberField } from '../../../ui/number-field.tsx'
import { TextField } from '../../../ui/text-field.tsx'

/** Maximum length, in UTF-16 units, of a text value of an admin-defined field: 500. The input accepts no more. */
const LONGEST_VALUE = 500

type ValueFieldProps = { field: DefinedField; value: string | number | undefined; onChange: (value: string | number | undefined) => void }

/**
 * React component: input for a system's value of an admin-defined field; the field's kind (text, number, date, price) determines the
 * control. `onChange` gets the value, `undefined` for an empty input.
 */
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
