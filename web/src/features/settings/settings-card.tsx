import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { messageOf } from '../../api/request-failed.ts'
import { Button } from '../../ui/button.tsx'
import { FormError } from '../../ui/form-error.tsx'
import * as words from '../../words/messages.js'

type SettingsCardProps = { title: string; about: string; children: ReactNode }

export const SettingsCard = ({ title, about, children }: SettingsCardProps) => (
  <section aria-label={title} className="rounded-card border border-border bg-surface px-4 pt-3.5 pb-4 shadow-card">
    <h2 className="font-semibold">{title}</h2>
    <p className="mb-2 text-note text-muted">{about}</p>
    {children}
  </section>
)

type AwaitedProps<Data> = {
  query: Pick<UseQueryResult<Data>, 'data' | 'isError' | 'error' | 'refetch'>
  /** How high what is awaited will be, about: nothing jumps. */
  placeholder?: 'h-13' | 'h-24'
  children: (data: Data) => ReactNode
}

/** What a card shows of what it asks the hub for: until it is there its outline, and why it is not there. */
export function Awaited<Data>({ query: { data, isError, error, refetch }, placeholder = 'h-13', children }: AwaitedProps<Data>) {
  if (data !== undefined) return children(data)
  if (!isError) return <div aria-busy="true" className={`${placeholder} animate-skeleton rounded-control bg-sunken`} />
  return (
    <div className="flex flex-col items-start gap-2">
      <FormError message={messageOf(error)} />
      <Button onClick={() => void refetch()}>{words.retry()}</Button>
    </div>
  )
}
