import { useId } from 'react'
import { cn } from '../../ui/cn.ts'

type ChoiceFieldProps = {
  label: string
  choices: readonly { readonly value: string; readonly label: string }[]
  value: string
  error: string | undefined
  onChange: (value: string) => void
}

/** One of several, with what is wrong with it below, announced together. */
export function ChoiceField({ label, choices, value, error, onChange }: ChoiceFieldProps) {
  const id = useId()
  return (
    <div className="flex flex-col gap-1">
      <label htmlFor={id} className="text-note font-medium">
        {label}
      </label>
      <select
        id={id}
        value={value}
        aria-invalid={error !== undefined}
        aria-describedby={error === undefined ? undefined : `${id}-note`}
        onChange={({ target }) => onChange(target.value)}
        className={cn('h-9 rounded-control border bg-surface px-2', error === undefined ? 'border-control-border' : 'border-crit')}
      >
        {choices.map((choice) => (
          <option key={choice.value} value={choice.value}>
            {choice.label}
          </option>
        ))}
      </select>
      {error !== undefined && (
        <p id={`${id}-note`} className="text-small text-crit">
          {error}
        </p>
      )}
    </div>
  )
}
