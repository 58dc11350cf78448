import * as Radix from 'radix-ui/toast'
import { useSyncExternalStore } from 'react'
import { cn } from './cn.ts'
import { Icon } from './icon.tsx'
import { closeToast, onToastsChange, shownToasts } from './toasts.ts'

const DEFAULT_DURATION_MS = 5_000
const SWIPE_THRESHOLD_PIXELS = 50

/** Where toasts stand. F8 moves the focus there. */
export function Toaster({ closeLabel, regionLabel }: { closeLabel: string; regionLabel: string }) {
  const toasts = useSyncExternalStore(onToastsChange, shownToasts)
  return (
    <Radix.Provider duration={DEFAULT_DURATION_MS} swipeThreshold={SWIPE_THRESHOLD_PIXELS} label={regionLabel}>
      {toasts.map(({ id, isOpen, title, description, look, durationMs, action }) => (
        <Radix.Root
          key={id}
          open={isOpen}
          {...(durationMs === undefined ? {} : { duration: durationMs })}
          onOpenChange={(open) => !open && closeToast(id)}
          className={cn(
            'flex w-full animate-appear items-start gap-3 rounded-card border bg-surface p-3.5 shadow-raised data-[swipe=move]:translate-x-(--radix-toast-swipe-move-x)',
            look === 'destructive' ? 'border-crit' : 'border-border-strong',
          )}
        >
          <div className="flex min-w-0 flex-1 flex-col gap-0.5">
            <Radix.Title className={cn('font-medium', look === 'destructive' && 'text-crit')}>{title}</Radix.Title>
            {description !== undefined && (
              <Radix.Description className="text-note text-muted wrap-anywhere">{description}</Radix.Description>
            )}
          </div>
          {action !== undefined && (
            <Radix.Action
              altText={action.label}
              onClick={action.onPress}
              className="h-8 shrink-0 rounded-control border border-control-border px-3 text-note hover:bg-hover"
            >
              {action.label}
            </Radix.Action>
          )}
          <Radix.Close
            aria-label={closeLabel}
            className="-m-1 grid size-7 shrink-0 place-items-center rounded-control text-muted hover:bg-hover"
          >
            <Icon name="close" className="size-3.5" />
          </Radix.Close>
        </Radix.Root>
      ))}
      <Radix.Viewport
        hotkey={['F8']}
        label={regionLabel}
        className="fixed right-0 bottom-0 z-60 m-3 flex w-[calc(100vw-24px)] max-w-sm flex-col gap-2 outline-none"
      />
    </Radix.Provider>
  )
}
