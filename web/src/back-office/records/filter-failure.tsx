import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { getJson } from '../../api/client.ts'
import { numberOf, recordOf, textOf } from '../../api/json.ts'
import { officeKeys } from '../../api/keys.ts'
import * as words from '../../words/messages.js'
import type { RecordsQuery } from './records-page.ts'

/**
 * React component: explanation of a failed query of records. It lets the hub check the filter expression, and shows an error in it with the
 * position marked. If the check finds no error or fails itself, `children` (the query's own error) is shown.
 */
export function FilterFailure({ query: { collection, filter, sort }, children }: { query: RecordsQuery; children: ReactNode }) {
  const search = new URLSearchParams({ collection, filter, sort }).toString()
  const { data, isPending } = useQuery({
    queryKey: officeKeys.recordFilter(search),
    queryFn: async ({ signal }) => recordOf(await getJson(`/api/vedette/filter?${search}`, signal)),
  })
  const message = textOf(data?.['message'])
  const at = numberOf(data?.['at'])
  if (message === undefined) return isPending ? null : children
  return (
    <div role="alert" className="rounded-control bg-crit-soft px-3 py-2 text-note text-crit">
      <p className="wrap-anywhere">{message}</p>
      {at !== undefined && (
        <p className="mt-1 font-mono whitespace-pre-wrap wrap-anywhere">
          {filter.slice(0, at)}
          <mark className="bg-transparent text-crit underline decoration-2 underline-offset-4">{filter.slice(at, at + 1) || '␣'}</mark>
          {filter.slice(at + 1)}
          <span className="sr-only">{words.office_filter_at({ place: at + 1 })}</span>
        </p>
      )}
    </div>
  )
}
