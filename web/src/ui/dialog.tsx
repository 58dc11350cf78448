import * as Radix from 'radix-ui/dialog'
import type { ReactNode } from 'react'
import { cn } from './cn.ts'
import { Icon } from './icon.tsx'

type DialogProps = {
  title: string
  description: ReactNode
  closeLabel: string
  /** A question that has to be answered is announced as one. */
  role?: 'dialog' | 'alertdialog'
  /** For texts of many lines. */
  isWide?: boolean
  /** Stands at the side, as high as the page. */
  isSheet?: boolean
  onClose: () => void
  children: ReactNode
}

/** An open modal dialog: focus stays inside, Escape and the backdrop close it. Mount it to open, unmount it to close. */
export function Dialog({
  title,
  description,
  closeLabel,
  role = 'dialog',
  isWide = false,
  isSheet = false,
  onClose,
  children,
}: DialogProps) {
  return (
    <Radix.Root open onOpenChange={(open) => !open && onClose()}>
      <Radix.Portal>
        {/* Beside a sheet the page is still read: what is set there shows on its charts. */}
        <Radix.Overlay
          data-backdrop
          className={cn('fixed inset-0 z-40 animate-appear', isSheet ? 'bg-[rgb(0_0_0/0.2)]' : 'bg-[rgb(0_0_0/0.45)]')}
        />
        <Radix.Content
          role={role}
          className={cn(
            'fixed z-50 flex animate-appear flex-col gap-4 overflow-y-auto border-border bg-surface p-5 shadow-raised',
            isSheet
              ? 'inset-y-0 right-0 w-full max-w-lg border-l max-sm:p-3'
              : 'left-1/2 top-[max(12px,12vh)] max-h-[calc(100dvh-24px-12vh)] w-[calc(100vw-24px)] -translate-x-1/2 rounded-card border',
            isWide ? 'max-w-4xl' : 'max-w-lg',
          )}
        >
          <div className="flex items-start gap-4">
            <div className="flex min-w-0 flex-1 flex-col gap-1">
              <Radix.Title className="text-[17px]/6 font-semibold">{title}</Radix.Title>
              <Radix.Description className="text-note text-muted">{description}</Radix.Description>
            </div>
            <Radix.Close
              aria-label={closeLabel}
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
