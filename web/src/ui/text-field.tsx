import { useId, type ComponentProps } from 'react'
import { cn } from './cn.ts'

type TextFieldProps = Omit<ComponentProps<'input'>, 'id'> & { label: string; error?: string | undefined; hint?: string | undefined }

/** A labelled input with its error or hint below, announced together. */
export function TextField({ label, error, hint, className, ...input }: TextFieldProps) {
  const id = useId()
  const note = error ?? hint
  return (
    <div className={cn('flex min-w-0 flex-col gap-1', className)}>
      <label htmlFor={id} className="text-note font-medium">
        {label}
      </label>
      <input
        id={id}
        aria-invalid={error !== undefined}
        aria-describedby={note === undefined ? undefined : `${id}-note`}
        className={cn(
          'h-9 w-full rounded-control border bg-surface px-2.5 read-only:bg-sunken read-only:text-muted',
          error === undefined ? 'border-control-border' : 'border-crit',
        )}
        {...input}
      />
      {note !== undefined && (
        <p id={`${id}-note`} className={cn('text-small', error === undefined ? 'text-muted' : 'text-crit')}>
          {note}
        </p>
      )}
    </div>
  )
}
