import { cn } from './cn.ts'

type SwitchProps = { labelledBy: string; isOn: boolean; disabled?: boolean; isInvalid?: boolean; onChange: (isOn: boolean) => void }

/**
 * React component: on/off switch (ARIA role `switch`). `labelledBy` is the HTML id of the element that labels it. `onChange` gets the new
 * state.
 */
export const Switch = ({ labelledBy, isOn, disabled = false, isInvalid = false, onChange }: SwitchProps) => (
  <button
    type="button"
    role="switch"
    aria-checked={isOn}
    aria-labelledby={labelledBy}
    aria-invalid={isInvalid || undefined}
    disabled={disabled}
    onClick={() => onChange(!isOn)}
    className={cn(
      'relative h-6 w-10 shrink-0 rounded-full border transition-colors enabled:hover:border-text disabled:opacity-60 motion-reduce:transition-none',
      isOn ? 'border-accent bg-accent' : 'border-control-border bg-track',
    )}
  >
    <span
      className={cn(
        'absolute top-0.5 size-4.5 rounded-full transition-[left] motion-reduce:transition-none',
        isOn ? 'left-4.5 bg-accent-text' : 'left-0.5 bg-muted',
      )}
    />
  </button>
)
