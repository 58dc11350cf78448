/** Data of a short message that disappears by itself. The look `destructive` reports a failure; `action` is a button with a remedy. */
export type Toast = {
  readonly title: string
  readonly description?: string
  readonly look?: 'plain' | 'destructive'
  readonly durationMs?: number
  readonly action?: { readonly label: string; readonly onPress: () => void }
}

export type ShownToast = Toast & { readonly id: number; readonly isOpen: boolean }

/** Maximum number of toasts (short messages) shown at once: 1; a new one replaces the oldest. */
const TOAST_LIMIT = 1
/** Time in ms, 1,000,000, that a closed toast stays in the list of toasts before it is removed; much longer than its closing animation. */
const REMOVE_DELAY_MS = 1_000_000

let toasts: readonly ShownToast[] = []
let lastId = 0
const listeners = new Set<() => void>()

export const shownToasts = (): readonly ShownToast[] => toasts

export function onToastsChange(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

export function showToast(toast: Toast): void {
  lastId++
  set([{ ...toast, id: lastId, isOpen: true }, ...toasts].slice(0, TOAST_LIMIT))
}

export function closeToast(id: number): void {
  set(toasts.map((toast) => (toast.id === id ? { ...toast, isOpen: false } : toast)))
  setTimeout(() => set(toasts.filter((toast) => toast.id !== id)), REMOVE_DELAY_MS)
}

function set(next: readonly ShownToast[]): void {
  toasts = next
  for (const listener of listeners) listener()
}
