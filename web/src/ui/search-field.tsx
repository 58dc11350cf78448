import type { ComponentProps } from 'react'
import { cn } from './cn.ts'

type SearchFieldProps = Omit<ComponentProps<'input'>, 'type' | 'onChange'> & {
  /** Accessible label of the search field; also its placeholder text unless one is given. */
  label: string
  onChange?: (text: string) => void
}

/**
 * React component: search field. `onChange` is called on every input with the text. With a `name`, the field is part of the enclosing form.
 */
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
