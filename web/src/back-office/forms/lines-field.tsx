import { useId } from 'react'
import { cn } from '../../ui/cn.ts'

type LinesFieldProps = {
  label: string
  hint: string | undefined
  error: string | undefined
  value: string
  onChange: (value: string) => void
}

/** A list as text, an item a line. */
export function LinesField({ label, hint, error, value, onChange }: LinesFieldProps) {
  const id = useId()
  const note = error ?? hint
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <label htmlFor={id} className="text-note font-medium">
        {label}
      </label>
      <textarea
        id={id}
        rows={Math.min(8, Math.max(2, value.split('\n').length))}
        spellCheck={false}
        aria-invalid={error !== undefined}
        aria-describedby={note === undefined ? undefined : `${id}-note`}
        className={cn(
          'w-full rounded-control border bg-surface px-2.5 py-1.5 font-mono text-note',
          error === undefined ? 'border-control-border' : 'border-crit',
        )}
        value={value}
        onChange={({ target }) => onChange(target.value)}
      />
      {note !== undefined && (
        <p id={`${id}-note`} className={cn('text-small', error === undefined ? 'text-muted' : 'text-crit')}>
          {note}
        </p>
      )}
    </div>
  )
}
