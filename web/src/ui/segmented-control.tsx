import { cn } from './cn.ts'

type Segment<T extends string> = { readonly value: T; readonly label: string; readonly name: string }
type SegmentedControlProps<T extends string> = {
  label: string
  segments: readonly Segment<T>[]
  /** Value of the selected button in the row; `undefined` when none is selected. */
  value: T | undefined
  onChange: (value: T) => void
}

/**
 * React component: row of buttons with one selected, named `label` for screen readers. Each segment has a short `label`, its full `name`
 * for screen readers, and the value that `onChange` gets.
 */
export function SegmentedControl<T extends string>({ label, segments, value, onChange }: SegmentedControlProps<T>) {
  return (
    <fieldset aria-label={label} className="flex min-w-0 overflow-hidden rounded-control border border-border bg-surface max-sm:w-full">
      {segments.map((segment) => (
        <button
          key={segment.value}
          type="button"
          aria-pressed={segment.value === value}
          aria-label={`${segment.label}, ${segment.name}`}
          onClick={() => onChange(segment.value)}
          className={cn(
            'h-7.5 flex-1 px-3 whitespace-nowrap -outline-offset-2 max-sm:px-0',
            segment.value === value ? 'bg-track font-medium text-text hover:bg-border-strong' : 'text-muted hover:bg-hover',
          )}
        >
          {segment.label}
        </button>
      ))}
    </fieldset>
  )
}
