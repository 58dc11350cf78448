import * as Radix from 'radix-ui/select'
import { cn } from './cn.ts'
import { Icon } from './icon.tsx'

export type Choice<T extends string> = { readonly value: T; readonly label: string; readonly group?: string }

type SelectListProps<T extends string> = {
  choices: readonly Choice<T>[]
  /** Selected value of the dropdown list. A value that is not among the choices is displayed as it is. */
  value: T
  /** Name of the dropdown list in its form. The enclosing `<Form>` reads the selected value by this name; absent outside a form. */
  name?: string | undefined
  disabled?: boolean | undefined
  onChange: (value: T) => void
  /** HTML id of the button that displays the selected value. The ARIA attributes beside it link that button to its label and error. */
  id?: string
  'aria-labelledby'?: string
  'aria-describedby'?: string | undefined
  'aria-invalid'?: boolean
  className: string
}

const VIEWPORT_MARGIN_PIXELS = 10

/** React component: dropdown list, a button with the selected value. Choices of one `group` must be adjacent; they get a heading. */
export function SelectList<T extends string>({ choices, value, name, disabled, onChange, className, ...attributes }: SelectListProps<T>) {
  const shown = choices.find((choice) => choice.value === value)?.label ?? value
  const choose = (next: string) => {
    const chosen = choices.find((choice) => choice.value === next)
    if (chosen !== undefined) onChange(chosen.value)
  }
  return (
    <Radix.Root value={value} onValueChange={choose} {...(name === undefined ? {} : { name })} {...(disabled === true ? { disabled } : {})}>
      <Radix.Trigger {...attributes} className={cn('flex h-9 items-center gap-2 enabled:hover:bg-hover disabled:opacity-60', className)}>
        <span className="min-w-0 flex-1 truncate text-left">
          <Radix.Value placeholder={shown}>{shown}</Radix.Value>
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
          className="z-50 max-h-[min(24rem,var(--radix-select-content-available-height))] max-w-(--radix-select-content-available-width) min-w-(--radix-select-trigger-width) animate-appear overflow-hidden rounded-card border border-border-strong bg-surface shadow-raised"
        >
          <Radix.Viewport className="p-1">
            {[...Map.groupBy(choices, ({ group }) => group)].map(([group, members]) => {
              const items = members.map((choice) => <Item key={choice.value} choice={choice} />)
              return group === undefined ? (
                items
              ) : (
                <Radix.Group key={group}>
                  <Radix.Label className="px-2.5 py-1.5 text-note text-muted">{group}</Radix.Label>
                  {items}
                </Radix.Group>
              )
            })}
          </Radix.Viewport>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

const Item = ({ choice: { value, label } }: { choice: Choice<string> }) => (
  <Radix.Item
    value={value}
    className="flex min-h-8 cursor-pointer items-center gap-2.5 rounded-control px-2.5 py-1 -outline-offset-2 select-none data-[highlighted]:bg-hover"
  >
    <span className="min-w-0 wrap-anywhere">
      <Radix.ItemText>{label}</Radix.ItemText>
    </span>
    <Radix.ItemIndicator className="ml-auto">
      <Icon name="check" />
    </Radix.ItemIndicator>
  </Radix.Item>
)
