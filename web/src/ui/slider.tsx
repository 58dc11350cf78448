import { useId } from 'react'
import { NumberField } from './number-field.tsx'

type SliderProps = {
  label: string
  unit: string
  value: number
  min: number
  max: number
  step: number
  onChange: (value: number) => void
}

/**
 * React component: slider for a number from `min` to `max`, with a number field for the same value and its unit beside it. `onChange` is
 * called with each new value.
 */
export function Slider({ label, unit, value, min, max, step, onChange }: SliderProps) {
  const id = useId()
  return (
    <div className="grid grid-cols-[5.5rem_1fr_auto] items-center gap-3">
      <label htmlFor={id} className="text-note text-muted">
        {label}
      </label>
      <input
        id={id}
        type="range"
        min={min}
        max={max}
        step={step}
        value={value}
        aria-valuetext={`${value} ${unit}`.trim()}
        onChange={(event) => onChange(event.target.valueAsNumber)}
        className="h-6 w-full min-w-0 accent-accent"
      />
      <span className="flex w-24 items-center gap-1.5">
        <NumberField
          label={label}
          isLabelHidden
          required
          min={min}
          max={max}
          step={step}
          value={value}
          className="w-15 shrink-0"
          onCommit={(next) => next !== undefined && onChange(next)}
        />
        <span className="text-note text-muted">{unit}</span>
      </span>
    </div>
  )
}
