import { cn } from './cn.ts'
import { Field, type FieldProps } from './field.tsx'

type TextAreaFieldProps = FieldProps & {
  rows: number
  /** True for prose; false for JSON or lists with an item a line, which are shown in a monospaced font. */
  isProse?: boolean
  maxLength?: number
  value: string
  onChange: (value: string) => void
}

/** React component: multi-line text field of a form with label, hint and error. `onChange` gets the text. */
export const TextAreaField = ({ rows, isProse = false, maxLength, value, onChange, ...field }: TextAreaFieldProps) => (
  <Field {...field}>
    {({ className, ...control }) => (
      <textarea
        {...control}
        rows={rows}
        spellCheck={isProse}
        maxLength={maxLength}
        value={value}
        onChange={({ target }) => onChange(target.value)}
        className={cn(className, 'py-1.5', !isProse && 'font-mono text-note')}
      />
    )}
  </Field>
)
