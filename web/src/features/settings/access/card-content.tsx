import type { ReactNode } from 'react'

type CardContentProps<T> = {
  /** Entries, such as groups or tags, that the settings card renders by `children`; `undefined` while they are not loaded. */
  list: readonly T[] | undefined
  /**
   * Error message when some lists of the settings page "Access" could not be loaded; `undefined` without an error. The page shows it at the
   * top, and its cards then show no loading placeholder.
   */
  failure: string | undefined
  empty: string
  children: (list: readonly T[]) => ReactNode
}

/**
 * React component: content of a settings card for `list`: a loading placeholder, a dash after a failure, the text `empty`, or the result of
 * `children(list)`.
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
