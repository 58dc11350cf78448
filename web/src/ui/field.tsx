import { useId, type ReactNode } from 'react'
import { cn } from './cn.ts'
import { useFieldError } from './form-errors.ts'

/** HTML attributes that a form control needs to be linked to its label, and to its error or hint (`id`, `aria-…`). */
type ControlAttributes = {
  readonly id: string
  readonly name: string | undefined
  readonly 'aria-invalid': boolean
  readonly 'aria-describedby': string | undefined
  readonly className: string
}

export type FieldProps = {
  label: string
  /** True to hide the form field's label visually; screen readers still announce it. */
  isLabelHidden?: boolean
  /** Name of the form field. The enclosing `<Form>` reads the field's value and shows its error by this name. */
  name?: string | undefined
  hint?: string | undefined
  /** Error message to show below the form field. In a `<Form>` it takes precedence over the message that the form has for the field. */
  error?: string | undefined
  className?: string | undefined
}

/**
 * React component: form field with label, and its error or hint below. `children` is a function that renders the control with HTML
 * attributes (`id`, `aria-…`), by which screen readers connect these texts with it.
 */
export function Field({
  label,
  isLabelHidden = false,
  name,
  hint,
  error: own,
  className,
  children,
}: FieldProps & { children: (control: ControlAttributes) => ReactNode }) {
  const id = useId()
  const error = useFieldError(name, own)
  const note = error ?? hint
  const control = {
    id,
    name,
    'aria-invalid': error !== undefined,
    'aria-describedby': note === undefined ? undefined : `${id}-note`,
    className: cn('w-full min-w-0 rounded-control border bg-surface px-2.5', error === undefined ? 'border-control-border' : 'border-crit'),
  }
  return (
    <div className={cn('flex min-w-0 flex-col gap-1', className)}>
      <label htmlFor={id} className={isLabelHidden ? 'sr-only' : 'text-note font-medium'}>
        {label}
      </label>
      {children(control)}
      {note !== undefined && (
        <p id={`${id}-note`} className={cn('text-small wrap-anywhere', error === undefined ? 'text-muted' : 'text-crit')}>
          {note}
        </p>
      )}
    </div>
  )
}
