import { useId, type ReactNode } from 'react'

type Given = { readonly id: string; readonly 'aria-invalid': boolean; readonly 'aria-describedby': string | undefined }

type FieldFrameProps = {
  label: string
  hint?: string | undefined
  error: string | undefined
  /** The control itself, with what ties it to its label and to what stands below. */
  children: (given: Given) => ReactNode
}

/** A control with its label, and its error or hint below, announced together. */
export function FieldFrame({ label, hint, error, children }: FieldFrameProps) {
  const id = useId()
  const note = error ?? hint
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <label htmlFor={id} className="text-note font-medium">
        {label}
      </label>
      {children({ id, 'aria-invalid': error !== undefined, 'aria-describedby': note === undefined ? undefined : `${id}-note` })}
      {note !== undefined && (
        <p id={`${id}-note`} className={error === undefined ? 'text-small text-muted' : 'text-small text-crit'}>
          {note}
        </p>
      )}
    </div>
  )
}
