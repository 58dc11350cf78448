import { useInfiniteQuery } from '@tanstack/react-query'
import { useDeferredValue } from 'react'
import { pastIncidentsQuery } from '../../api/incidents.ts'
import { messageOf } from '../../api/request-failed.ts'
import { textField } from '../../navigation/search.ts'
import { useSearchValues } from '../../navigation/use-search-values.ts'
import { Button } from '../../ui/button.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { SearchField } from '../../ui/search-field.tsx'
import * as words from '../../words/messages.js'
import { Card } from '../../ui/card.tsx'
import { IncidentRow } from './incident-row.tsx'

const LONGEST_SEARCH = 100

const fields = { search: textField(LONGEST_SEARCH) }

/** React component: card with past firing periods of alerts, newest first, in pages. The search text is stored in the URL. */
export function IncidentHistory() {
  const { values, change } = useSearchValues(fields)
  const { search } = values
  const settled = useDeferredValue(search)
  const { data, isError, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery(pastIncidentsQuery(settled))
  const incidents = data?.pages.flatMap(({ items }) => items)
  return (
    <Card title={words.alerts_history()} description={words.alerts_history_about()}>
      <SearchField
        label={words.search_incidents()}
        maxLength={LONGEST_SEARCH}
        value={search}
        onChange={(value) => change({ search: value })}
        className="mb-1 h-9 w-full sm:w-72"
      />
      {isError && incidents === undefined && (
        <div className="flex flex-col items-start gap-2 py-2">
          <FormError message={messageOf(error)} />
          <Button onClick={() => void refetch()}>{words.retry()}</Button>
        </div>
      )}
      {incidents === undefined && !isError && <div aria-busy="true" className="my-2 h-40 animate-skeleton rounded-control bg-sunken" />}
      {incidents?.length === 0 && (
        <p className="py-2 text-muted wrap-anywhere">{search === '' ? words.no_incidents() : words.no_incident_matches({ search })}</p>
      )}
      <ul className="divide-y divide-border">
        {incidents?.map((incident) => (
          <IncidentRow key={incident.id} incident={incident} />
        ))}
      </ul>
      {hasNextPage && (
        <Button className="mt-2" disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {words.more_incidents()}
        </Button>
      )}
    </Card>
  )
}
