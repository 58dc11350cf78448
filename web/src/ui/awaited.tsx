import type { ReactNode } from 'react'
import * as words from '../words/messages.js'
import { Button } from './button.tsx'
import { EmptyState } from './empty-state.tsx'
import { FormError } from './form-error.tsx'

/** The part of a query's result that a view depends on. */
type QueryState<Data> = {
  readonly data: Data | undefined
  readonly isError: boolean
  readonly error: unknown
  readonly refetch: () => unknown
}

type AwaitedProps<Data> = {
  query: QueryState<Data>
  /** The height that the content will have, about, as a class: nothing jumps when it comes. */
  placeholder?: string
  /** Shown while it loads, in place of a grey box of that height. */
  skeleton?: ReactNode
  /** The title of a view of its own that failed. Without it the failure is one line within its card. */
  failure?: string
  /** That view is all that the page shows. */
  isPage?: boolean
  isEmpty?: (data: Data) => boolean
  empty?: ReactNode
  children: (data: Data) => ReactNode
}

/**
 * The states of a view: loading, failed with a way to try again, empty, and full. Data that could not be refreshed stays; the live
 * indicator says how old it is.
 */
export function Awaited<Data>({
  query: { data, isError, error, refetch },
  placeholder = 'h-13',
  skeleton,
  failure,
  isPage = false,
  isEmpty,
  empty,
  children,
}: AwaitedProps<Data>) {
  if (data !== undefined) return isEmpty?.(data) === true ? empty : children(data)
  if (!isError) return skeleton ?? <div aria-busy="true" className={`${placeholder} animate-skeleton rounded-control bg-sunken`} />
  const message = error instanceof Error ? error.message : String(error)
  const retry = <Button onClick={() => void refetch()}>{words.retry()}</Button>
  if (failure !== undefined)
    return (
      <EmptyState title={failure} detail={message} isPage={isPage}>
        {retry}
      </EmptyState>
    )
  return (
    <div className="flex flex-col items-start gap-2">
      <FormError message={message} />
      {retry}
    </div>
  )
}
