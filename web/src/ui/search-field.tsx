import type { ComponentProps } from 'react'
import { cn } from './cn.ts'

type SearchFieldProps = Omit<ComponentProps<'input'>, 'type' | 'onChange'> & {
  /** Read out; also written into the empty field, unless there is a `placeholder`. */
  label: string
  onChange?: (text: string) => void
}

/** A text that narrows a list. With `onChange` it takes effect at each key, with a `name` when its form is sent. */
export const SearchField = ({ label, placeholder = label, onChange, className = 'h-9', ...input }: SearchFieldProps) => (
  <input
    type="search"
    aria-label={label}
    placeholder={placeholder}
    autoComplete="off"
    spellCheck={false}
    onChange={onChange && (({ target }) => onChange(target.value))}
    className={cn('min-w-0 rounded-control border border-control-border bg-surface px-2.5 text-note placeholder:text-faint', className)}
    {...input}
  />
)
