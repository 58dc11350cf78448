import type { ReactNode } from 'react'

type CardContentProps<T> = {
  /** Entries that the card lists; `undefined` while they are not loaded. */
  list: readonly T[] | undefined
  /**
   * Error message when some lists of the page could not be loaded (shown at the top of the page); `undefined` without an error. The card
   * then shows no loading placeholder.
   */
  failure: string | undefined
  empty: string
  children: (list: readonly T[]) => ReactNode
}

/**
 * React component: content of a settings card with a list: loading placeholder, nothing after a failure, the text `empty`, or the rendered
 * entries.
 */
export function CardContent<T>({ list, failure, empty, children }: CardContentProps<T>) {
  if (list === undefined) {
    return failure === undefined ? (
      <div aria-busy="true" className="h-24 animate-skeleton rounded-control bg-sunken" />
    ) : (
      <p className="py-2 text-muted">–</p>
    )
  }
  return list.length === 0 ? <p className="py-2 text-muted">{empty}</p> : children(list)
}
