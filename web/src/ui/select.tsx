import { useId } from 'react'
import { SelectList, type Choice } from './select-list.tsx'

type SelectProps<T extends string> = {
  label: string
  hint?: string
  choices: readonly Choice<T>[]
  value: T
  disabled?: boolean
  onChange: (value: T) => void
}

/**
 * React component: dropdown list on a settings page, with its label and hint beside it. It is not part of a form; each choice calls
 * `onChange`.
 */
export function Select<T extends string>({ label, hint, ...list }: SelectProps<T>) {
  const id = useId()
  return (
    <div className="flex min-w-0 flex-wrap items-center gap-x-4 gap-y-1 py-2">
      <div className="min-w-40 flex-1">
        <span id={`${id}-label`} className="block font-medium">
          {label}
        </span>
        {hint !== undefined && (
          <span id={`${id}-hint`} className="block text-small text-muted">
            {hint}
          </span>
        )}
      </div>
      <SelectList
        {...list}
        aria-labelledby={`${id}-label`}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        className="w-60 rounded-control border border-control-border bg-surface px-2.5 max-sm:w-full"
      />
    </div>
  )
}
