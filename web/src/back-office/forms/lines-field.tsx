import { cn } from '../../ui/cn.ts'
import { FieldFrame } from './field-frame.tsx'

type LinesFieldProps = {
  label: string
  hint: string | undefined
  error: string | undefined
  value: string
  onChange: (value: string) => void
}

const LEAST_ROWS = 2
const MOST_ROWS = 8

/** A list as text, an item a line. */
export const LinesField = ({ label, hint, error, value, onChange }: LinesFieldProps) => (
  <FieldFrame label={label} hint={hint} error={error}>
    {(given) => (
      <textarea
        {...given}
        rows={Math.min(MOST_ROWS, Math.max(LEAST_ROWS, value.split('\n').length))}
        spellCheck={false}
        className={cn(
          'w-full rounded-control border bg-surface px-2.5 py-1.5 font-mono text-note',
          error === undefined ? 'border-control-border' : 'border-crit',
        )}
        value={value}
        onChange={({ target }) => onChange(target.value)}
      />
    )}
  </FieldFrame>
)
