import * as Radix from 'radix-ui/dropdown-menu'
import { createContext, useContext, useState, type ReactElement, type ReactNode } from 'react'
import { cn } from './cn.ts'
import { Icon } from './icon.tsx'

const itemLook =
  'flex h-8 items-center gap-2.5 rounded-control px-2.5 text-body -outline-offset-2 select-none data-[highlighted]:bg-hover data-[disabled]:opacity-50'

/**
 * React context with the function that closes the open menu. Radix, the library of the menu, does not close it after a link that the router
 * handles without a page load.
 */
const CloseMenu = createContext(() => {})

type MenuProps = { trigger: ReactElement; align?: 'start' | 'end'; children: ReactNode }

/**
 * React component: dropdown menu with its button `trigger`; `children` are the items. It is open at first. The button, an item, Escape or a
 * press outside closes it; the button opens it again.
 */
export function Menu({ trigger, align = 'end', children }: MenuProps) {
  // The menu is rendered in its button's landmark, where screen reader users who navigate by landmarks find it. The page's `main` changes
  // after loading.
  const [button, setButton] = useState<HTMLButtonElement | null>(null)
  const [isOpen, setOpen] = useState(true)
  const landmark = button?.closest('header, main')
  return (
    <Radix.Root open={isOpen} onOpenChange={setOpen} modal={false}>
      <Radix.Trigger asChild ref={setButton}>
        {trigger}
      </Radix.Trigger>
      {landmark && (
        <Radix.Portal container={landmark}>
          <Radix.Content
            align={align}
            sideOffset={6}
            collisionPadding={10}
            className="z-50 max-h-(--radix-dropdown-menu-content-available-height) max-w-80 min-w-44 animate-appear overflow-y-auto rounded-card border border-border-strong bg-surface p-1 shadow-raised"
          >
            <CloseMenu value={() => setOpen(false)}>{children}</CloseMenu>
          </Radix.Content>
        </Radix.Portal>
      )}
    </Radix.Root>
  )
}

export function MenuItem({ onSelect, danger = false, children }: { onSelect: () => void; danger?: boolean; children: ReactNode }) {
  return (
    <Radix.Item onSelect={onSelect} className={cn(itemLook, danger && 'text-crit')}>
      {children}
    </Radix.Item>
  )
}

/**
 * React component: item of a dropdown menu that links to `href`; pressing it calls `onOpen` and closes the menu. `newTab` opens the page in
 * a new tab.
 */
export function MenuLink({
  href,
  newTab = false,
  onOpen,
  children,
}: {
  href: string
  newTab?: boolean
  onOpen?: () => void
  children: ReactNode
}) {
  const close = useContext(CloseMenu)
  const target = newTab ? { target: '_blank', rel: 'noreferrer' } : {}
  return (
    <Radix.Item asChild>
      <a
        href={href}
        {...target}
        className={itemLook}
        onClick={(event) => {
          if (onOpen === undefined || event.metaKey || event.ctrlKey || event.shiftKey) return
          event.preventDefault()
          close()
          onOpen()
        }}
      >
        {children}
      </a>
    </Radix.Item>
  )
}

type MenuChoice<T extends string> = { readonly value: T; readonly label: ReactNode }

export function MenuChoices<T extends string>({
  choices,
  value,
  onChange,
}: {
  choices: readonly MenuChoice<T>[]
  value: T
  onChange: (value: T) => void
}) {
  return (
    <Radix.RadioGroup value={value}>
      {choices.map((choice) => (
        <Radix.RadioItem key={choice.value} value={choice.value} onSelect={() => onChange(choice.value)} className={cn(itemLook, 'pr-2')}>
          {choice.label}
          <Radix.ItemIndicator className="ml-auto">
            <Icon name="check" />
          </Radix.ItemIndicator>
        </Radix.RadioItem>
      ))}
    </Radix.RadioGroup>
  )
}

export const MenuLabel = ({ children }: { children: ReactNode }) => (
  <Radix.Label className="max-w-64 truncate px-2.5 py-1.5 text-note text-muted">{children}</Radix.Label>
)

export const MenuSeparator = () => <Radix.Separator className="mx-1 my-1 h-px bg-border" />
