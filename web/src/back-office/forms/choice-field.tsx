import { cn } from '../../ui/cn.ts'
import { FieldFrame } from './field-frame.tsx'

type ChoiceFieldProps = {
  label: string
  choices: readonly { readonly value: string; readonly label: string }[]
  value: string
  error: string | undefined
  onChange: (value: string) => void
}

/** One of several. */
export const ChoiceField = ({ label, choices, value, error, onChange }: ChoiceFieldProps) => (
  <FieldFrame label={label} error={error}>
    {(given) => (
      <select
        {...given}
        value={value}
        onChange={({ target }) => onChange(target.value)}
        className={cn('h-9 rounded-control border bg-surface px-2', error === undefined ? 'border-control-border' : 'border-crit')}
      >
        {choices.map((choice) => (
          <option key={choice.value} value={choice.value}>
            {choice.label}
          </option>
        ))}
      </select>
    )}
  </FieldFrame>
)
