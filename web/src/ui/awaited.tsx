import type { ReactNode } from 'react'
import * as words from '../words/messages.js'
import { Button } from './button.tsx'
import { EmptyState } from './empty-state.tsx'
import { FormError } from './form-error.tsx'

/** The parts of a TanStack Query result that the component `<Awaited>` needs: data, error, and the function that refetches. */
type QueryState<Data> = {
  readonly data: Data | undefined
  readonly isError: boolean
  readonly error: unknown
  readonly refetch: () => unknown
}

type AwaitedProps<Data> = {
  query: QueryState<Data>
  /** CSS class with the height of the grey box that is shown while the query loads, about the height of the content that follows. */
  placeholder?: string
  /** React node that is shown while the query loads; when absent, a grey box with the CSS class `placeholder`. */
  skeleton?: ReactNode
  /** Title of the error view that is shown when the query has failed. Absent: the error is a single line, for use within a card. */
  failure?: string
  /** True when the error view of a failed query may be the only content of the page; its title is then the page's main heading, `h1`. */
  isPage?: boolean
  isEmpty?: (data: Data) => boolean
  empty?: ReactNode
  children: (data: Data) => ReactNode
}

/**
 * React component: renders the states of a TanStack Query result: loading, failed with a retry button, empty (`isEmpty`), or
 * `children(data)`. After a failed refetch, the earlier data stay visible.
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
