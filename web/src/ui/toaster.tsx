import { useDeferredValue, useEffect, useRef, useState, useSyncExternalStore, type PointerEvent } from 'react'
import * as words from '../words/messages.js'
import { cn } from './cn.ts'
import { Icon } from './icon.tsx'
import { closeToast, onToastsChange, shownToasts, type ShownToast } from './toasts.ts'

const DEFAULT_DURATION_MS = 5_000
const SWIPE_PIXELS = 50
const none: readonly ShownToast[] = []

/**
 * React component: container in which all toasts (short messages) appear. Screen readers announce each new toast; F8 moves the focus to it.
 * Render it once.
 */
export function Toaster() {
  const region = useRef<HTMLDivElement>(null)
  // Screen readers announce only additions to an existing live region, so the first toast is added after the region.
  const toasts = useDeferredValue(useSyncExternalStore(onToastsChange, shownToasts), none)
  useEffect(() => {
    const onKey = ({ key }: KeyboardEvent) => key === 'F8' && region.current?.focus()
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
  return (
    <div
      ref={region}
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- F8 moves the focus here: the role is announced in browsers too that give a named section none
      role="region"
      tabIndex={-1}
      aria-label={words.notifications()}
      className="fixed inset-x-3 bottom-3 z-60 ml-auto max-w-sm outline-none"
    >
      <ol aria-live="polite" className="flex flex-col gap-2">
        {toasts.map((toast) => toast.isOpen && <ToastCard key={toast.id} toast={toast} />)}
      </ol>
    </div>
  )
}

/**
 * React component: one toast (short message). It closes after `durationMs`, but not while it is hovered or has the focus; the full duration
 * then begins again.
 */
function ToastCard({ toast: { id, title, description, look, durationMs = DEFAULT_DURATION_MS, action } }: { toast: ShownToast }) {
  const isFailure = look === 'destructive'
  const [isHeld, setHeld] = useState(false)
  const swipe = useSwipe(() => closeToast(id))
  useEffect(() => {
    if (isHeld) return undefined
    const timer = setTimeout(() => closeToast(id), durationMs)
    return () => clearTimeout(timer)
  }, [id, durationMs, isHeld])
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- pointing at it only stops its timer, and a swipe does what its button does
    <li
      {...swipe}
      data-state="open"
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
      className={cn(
        'flex w-full touch-pan-y select-none animate-appear items-start gap-3 rounded-card border bg-surface p-3.5 shadow-raised',
        isFailure ? 'border-crit' : 'border-border-strong',
      )}
    >
      <div className="flex min-w-0 flex-1 flex-col gap-0.5">
        <p className={cn('font-medium', isFailure && 'text-crit')}>{title}</p>
        {description !== undefined && <p className="text-note text-muted wrap-anywhere">{description}</p>}
      </div>
      {action !== undefined && (
        <button
          type="button"
          onClick={() => {
            closeToast(id)
            action.onPress()
          }}
          className="h-8 shrink-0 rounded-control border border-control-border px-3 text-note hover:bg-hover"
        >
          {action.label}
        </button>
      )}
      <button
        type="button"
        aria-label={words.close()}
        onClick={() => closeToast(id)}
        className="-m-1 grid size-7 shrink-0 place-items-center rounded-control text-muted hover:bg-hover"
      >
        <Icon name="close" className="size-3.5" />
      </button>
    </li>
  )
}

/**
 * React hook: returns pointer event handlers for a toast that dismiss it (call `onAway`) after a swipe to the right. After a swipe of less
 * than 50 px, the toast moves back.
 */
function useSwipe(onAway: () => void) {
  const startX = useRef<number>(undefined)
  const [pixels, setPixels] = useState<number>()
  const end = (event: PointerEvent<HTMLElement>) => {
    if (startX.current === undefined) return
    const moved = event.clientX - startX.current
    startX.current = undefined
    if (moved >= SWIPE_PIXELS) onAway()
    else setPixels(0)
  }
  return {
    'data-swipe': pixels === undefined ? undefined : pixels === 0 ? 'cancel' : 'move',
    style: { translate: `${pixels ?? 0}px 0` },
    onPointerDown: ({ clientX, button, target }: PointerEvent<HTMLElement>) => {
      if (button === 0 && !(target instanceof Element && target.closest('button') !== null)) startX.current = clientX
    },
    onPointerMove: ({ clientX, currentTarget, pointerId }: PointerEvent<HTMLElement>) => {
      if (startX.current === undefined) return
      currentTarget.setPointerCapture(pointerId)
      setPixels(Math.max(0, clientX - startX.current))
    },
    onPointerUp: end,
    onPointerCancel: end,
  }
}
