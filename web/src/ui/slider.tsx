import { useId } from 'react'

type SliderProps = {
  label: string
  unit: string
  value: number
  min: number
  max: number
  step: number
  onChange: (value: number) => void
}

/** A number between two others: by dragging, by the arrow keys, or typed. What is typed out of range counts once it is left. */
export function Slider({ label, unit, value, min, max, step, onChange }: SliderProps) {
  const id = useId()
  const change = (text: string): void => {
    const next = Number(text)
    if (text !== '' && Number.isFinite(next)) onChange(Math.min(max, Math.max(min, next)))
  }
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
        onChange={(event) => change(event.target.value)}
        className="h-6 w-full min-w-0 accent-accent"
      />
      <span className="flex w-24 items-center gap-1.5">
        <input
          type="number"
          aria-label={label}
          min={min}
          max={max}
          step={step}
          value={value}
          onChange={(event) => change(event.target.value)}
          className="h-8 w-15 rounded-control border border-control-border bg-surface px-2 text-right tabular-nums"
        />
        <span className="text-note text-muted">{unit}</span>
      </span>
    </div>
  )
}
