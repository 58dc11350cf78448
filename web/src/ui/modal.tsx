import * as Radix from 'radix-ui/dialog'
import { useState, type ReactNode } from 'react'
import * as words from '../words/messages.js'
import { cn } from './cn.ts'
import { Icon } from './icon.tsx'

export type ModalProps = {
  title: string
  description: ReactNode
  onClose: () => void
  children: ReactNode
}

type ModalLook = { role?: 'dialog' | 'alertdialog'; className: string; backdrop: string }

/**
 * React component: modal element on which dialogs and sheets are built. It traps the focus, and returns it to the element that had it
 * before; Escape and a press outside call `onClose`. It is open as long as it is rendered.
 */
export function Modal({ title, description, onClose, children, role = 'dialog', className, backdrop }: ModalProps & ModalLook) {
  const [opener] = useState(focused)
  return (
    <Radix.Root open onOpenChange={(open) => !open && onClose()}>
      <Radix.Portal>
        <Radix.Overlay data-backdrop className={cn('fixed inset-0 z-40 animate-appear', backdrop)} />
        <Radix.Content
          role={role}
          // Radix returns the focus only to a button that it rendered itself. The page may have moved it already.
          onCloseAutoFocus={() => focused() ?? opener?.focus()}
          className={cn(
            'fixed z-50 flex animate-appear flex-col gap-4 overflow-y-auto border-border bg-surface p-5 shadow-raised',
            className,
          )}
        >
          <div className="flex items-start gap-4">
            <div className="flex min-w-0 flex-1 flex-col gap-1">
              <Radix.Title className="text-[17px]/6 font-semibold">{title}</Radix.Title>
              <Radix.Description className="text-note text-muted">{description}</Radix.Description>
            </div>
            <Radix.Close
              aria-label={words.close()}
              className="-m-1 grid size-8 shrink-0 place-items-center rounded-control text-muted hover:bg-hover"
            >
              <Icon name="close" />
            </Radix.Close>
          </div>
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

/** Returns the element that has the focus; null if none has it, which is when `document.activeElement` is the body. */
const focused = () => document.querySelector<HTMLElement>(':focus')
