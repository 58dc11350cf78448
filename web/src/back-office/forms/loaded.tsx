import type { ReactNode } from 'react'
import { messageOf } from '../../api/request-failed.ts'
import { Button } from '../../ui/button.tsx'
import { FormError } from '../../ui/form-error.tsx'
import * as words from '../../words/messages.js'

type LoadedProps<T> = {
  query: { readonly data: T | undefined; readonly error: unknown; readonly refetch: () => unknown }
  children: (data: T) => ReactNode
}

/** What is there once something is loaded; until then, and when it cannot be, that is said in its place. */
export function Loaded<T>({ query: { data, error, refetch }, children }: LoadedProps<T>) {
  if (data !== undefined) return children(data)
  if (error === null) return <div aria-busy="true" className="h-24 animate-skeleton rounded-control bg-sunken" />
  return (
    <div className="flex flex-col items-start gap-2">
      <FormError message={messageOf(error)} />
      <Button onClick={() => void refetch()}>{words.retry()}</Button>
    </div>
  )
}
