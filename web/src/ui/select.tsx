import * as Radix from 'radix-ui/select'
import { useId } from 'react'
import { Icon } from './icon.tsx'

export type SelectChoice<T extends string> = { readonly value: T; readonly label: string }

type SelectProps<T extends string> = {
  label: string
  hint?: string
  choices: readonly SelectChoice<T>[]
  value: T
  disabled?: boolean
  onChange: (value: T) => void
}

const VIEWPORT_MARGIN_PIXELS = 10

/** One of many: opens by pointer, arrow keys or the first letters of an entry. */
export function Select<T extends string>({ label, hint, choices, value, disabled = false, onChange }: SelectProps<T>) {
  const id = useId()
  return (
    <div className="flex min-w-0 flex-wrap items-center gap-x-4 gap-y-1 py-2">
      <div className="min-w-40 flex-1">
        <span id={`${id}-label`} className="block font-medium">
          {label}
        </span>
        {hint !== undefined && (
          <span id={`${id}-hint`} className="block text-small text-muted">
            {hint}
          </span>
        )}
      </div>
      <Radix.Root value={value} disabled={disabled} onValueChange={(next) => onValue(choices, next, onChange)}>
        <Radix.Trigger
          aria-labelledby={`${id}-label`}
          aria-describedby={hint === undefined ? undefined : `${id}-hint`}
          className="flex h-9 w-60 max-sm:w-full items-center gap-2 rounded-control border border-control-border bg-surface px-2.5 disabled:opacity-60"
        >
          <span className="min-w-0 flex-1 truncate text-left">
            <Radix.Value />
          </span>
          <Radix.Icon>
            <Icon name="chevron" className="size-3.5 text-muted" />
          </Radix.Icon>
        </Radix.Trigger>
        <Radix.Portal>
          <Radix.Content
            position="popper"
            sideOffset={4}
            collisionPadding={VIEWPORT_MARGIN_PIXELS}
            className="z-50 max-h-[min(24rem,var(--radix-select-content-available-height))] min-w-(--radix-select-trigger-width) animate-appear overflow-hidden rounded-card border border-border-strong bg-surface shadow-raised"
          >
            <Radix.Viewport className="p-1">
              {choices.map((choice) => (
                <Radix.Item
                  key={choice.value}
                  value={choice.value}
                  className="flex h-8 cursor-pointer items-center gap-2.5 rounded-control px-2.5 outline-none select-none data-[highlighted]:bg-hover"
                >
                  <Radix.ItemText>{choice.label}</Radix.ItemText>
                  <Radix.ItemIndicator className="ml-auto">
                    <Icon name="check" />
                  </Radix.ItemIndicator>
                </Radix.Item>
              ))}
            </Radix.Viewport>
          </Radix.Content>
        </Radix.Portal>
      </Radix.Root>
    </div>
  )
}

function onValue<T extends string>(choices: readonly SelectChoice<T>[], value: string, onChange: (value: T) => void): void {
  const chosen = choices.find((choice) => choice.value === value)
  if (chosen !== undefined) onChange(chosen.value)
}
