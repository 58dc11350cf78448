import { useId } from 'react'
import { cn } from './cn.ts'
import { useFieldError } from './form-errors.ts'
import { Switch } from './switch.tsx'

type SwitchFieldProps = { label: string; name: string; hint?: string | undefined; isOn: boolean; onChange: (isOn: boolean) => void }

/**
 * React component: form field with an on/off switch, label, and its error or hint below the label. `onChange` is called at once with the
 * new state.
 */
export function SwitchField({ label, name, hint, isOn, onChange }: SwitchFieldProps) {
  const id = useId()
  const error = useFieldError(name)
  const note = error ?? hint
  return (
    <div className="flex items-center gap-3">
      <span id={id} className="flex-1 font-medium">
        {label}
        {note !== undefined && (
          <span className={cn('block text-small font-normal', error === undefined ? 'text-muted' : 'text-crit')}>{note}</span>
        )}
      </span>
      <Switch labelledBy={id} isOn={isOn} isInvalid={error !== undefined} onChange={onChange} />
    </div>
  )
}
