import { TextField } from './text-field.tsx'
import type { FieldProps } from './field.tsx'

type DateTimeFieldProps = FieldProps & {
  kind: 'time' | 'date and time'
  /** `22:00`, or `2026-01-31T09:30`; `''` while it is empty or incomplete. */
  value: string
  required?: boolean
  onChange: (value: string) => void
}

/** A time of day, or a date with one, by the browser's own picker. */
export const DateTimeField = ({ kind, onChange, ...field }: DateTimeFieldProps) => (
  // A field of another type is another field: the browser keeps what is half typed.
  <TextField key={kind} {...field} type={kind === 'time' ? 'time' : 'datetime-local'} onChange={({ target }) => onChange(target.value)} />
)
