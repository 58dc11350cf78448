import { TextField } from './text-field.tsx'
import type { FieldProps } from './field.tsx'

type DateTimeFieldProps = FieldProps & {
  kind: 'time' | 'date and time'
  /**
   * Value as the browser's date or time input has it: `22:00`, or `2026-01-31T09:30` with a date. Empty while the input is empty or
   * incomplete.
   */
  value: string
  required?: boolean
  onChange: (value: string) => void
}

/**
 * React component: form field for a time of day (`kind` is `time`), or a date with time, with the browser's own picker. `onChange` gets the
 * input's text.
 */
export const DateTimeField = ({ kind, onChange, ...field }: DateTimeFieldProps) => (
  // A new key for each type, because the browser keeps unfinished input.
  <TextField key={kind} {...field} type={kind === 'time' ? 'time' : 'datetime-local'} onChange={({ target }) => onChange(target.value)} />
)
