import { cn } from './cn.ts'
import { Field, type FieldProps } from './field.tsx'

type TextAreaFieldProps = FieldProps & { rows: number; value: string; onChange: (value: string) => void }

/** React component: multi-line text field in a monospaced font, for JSON or lists with an item a line. */
export const TextAreaField = ({ rows, value, onChange, ...field }: TextAreaFieldProps) => (
  <Field {...field}>
    {({ className, ...control }) => (
      <textarea
        {...control}
        rows={rows}
        spellCheck={false}
        value={value}
        onChange={({ target }) => onChange(target.value)}
        className={cn(className, 'py-1.5 font-mono text-note')}
      />
    )}
  </Field>
)
