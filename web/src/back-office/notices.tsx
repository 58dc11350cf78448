import { useEffect, useSyncExternalStore } from 'react'
import { Icon } from '../ui/icon.tsx'
import { closeToast, onToastsChange, shownToasts, type ShownToast } from '../ui/toasts.ts'
import * as words from '../words/messages.js'

const SHOWN_MS = 5_000

/** What is told in passing, read out as it comes. The back-office needs no more: nothing in it is to be answered here. */
export function Notices() {
  const toasts = useSyncExternalStore(onToastsChange, shownToasts)
  return (
    <output
      aria-label={words.notifications()}
      className="fixed right-0 bottom-0 z-60 m-3 flex w-[calc(100vw-24px)] max-w-sm flex-col gap-2"
    >
      {toasts
        .filter(({ isOpen }) => isOpen)
        .map((toast) => (
          <NoticeCard key={toast.id} toast={toast} />
        ))}
    </output>
  )
}

function NoticeCard({ toast: { id, title, description, look } }: { toast: ShownToast }) {
  const failed = look === 'destructive'
  useEffect(() => {
    // What failed stays until it is read.
    const timer = failed ? undefined : setTimeout(() => closeToast(id), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [id, failed])
  return (
    <div
      className={`flex animate-appear items-start gap-3 rounded-card border bg-surface p-3.5 shadow-raised ${failed ? 'border-crit' : 'border-border-strong'}`}
    >
      <div className="min-w-0 flex-1">
        <p className={failed ? 'font-medium text-crit' : 'font-medium'}>{title}</p>
        {description !== undefined && <p className="text-note text-muted wrap-anywhere">{description}</p>}
      </div>
      <button
        type="button"
        aria-label={words.close()}
        onClick={() => closeToast(id)}
        className="-m-1 grid size-7 shrink-0 place-items-center rounded-control text-muted hover:bg-hover"
      >
        <Icon name="close" className="size-3.5" />
      </button>
    </div>
  )
}
