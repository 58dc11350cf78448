import type { ReactNode } from 'react'

type CardContentProps<T> = {
  /** List to show; `undefined` while it is not loaded. */
  list: readonly T[] | undefined
  /** Reason why not everything could be loaded, which the page shows. A list that is not loaded then shows no placeholder. */
  failure: string | undefined
  empty: string
  children: (list: readonly T[]) => ReactNode
}

/** React component: states of a list in a card: loading, not loaded, empty, or its entries. */
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
