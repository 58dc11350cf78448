import { failureDetailOf } from '../../api/field-messages.ts'
import { formatTime } from '../../format/time.ts'
import { useFormats } from '../../preferences/use-preferences.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import * as words from '../../words/messages.js'
import { FilterFailure } from '../records/filter-failure.tsx'
import { LogList } from './log-list.tsx'
import type { LogsQuery } from './logs.ts'
import type { useLogs } from './use-logs.ts'
import type { LogsView } from './use-logs-view.ts'

type FoundLogsProps = { view: LogsView; found: ReturnType<typeof useLogs>; people: ReadonlyMap<string, string> }

/** React component: result of a search in the hub's log: list of entries, error with a retry button, or a note that nothing matches. */
export function FoundLogs({ view: { query, openEntry }, found, people }: FoundLogsProps) {
  const formats = useFormats()
  const { data, isError, error, isFetching, hasNextPage, items, searchedToMs, refetch, fetchNextPage } = found
  if (isError && !isFetching) {
    return (
      <FilterFailure query={{ collection: 'logs', filter: query.filter, sort: '', page: 1 }}>
        <EmptyState title={words.office_not_loaded()} detail={failureDetailOf(error)}>
          <Button onClick={() => void refetch()}>{words.retry()}</Button>
        </EmptyState>
      </FilterFailure>
    )
  }
  if (data === undefined) return <div aria-busy="true" className="h-96 animate-skeleton rounded-card bg-sunken" />
  return (
    <>
      {items.length > 0 && <LogList items={items} people={people} onOpen={openEntry} />}
      {items.length === 0 && searchedToMs === undefined && <NothingFound query={query} />}
      <div className="flex flex-wrap items-center gap-3 text-note text-muted">
        <output className="mr-auto">
          {searchedToMs !== undefined && words.office_log_searching({ to: formatTime(searchedToMs, 'dayAndTime', formats) })}
        </output>
        {hasNextPage && searchedToMs === undefined && (
          <Button disabled={isFetching} onClick={() => void fetchNextPage()}>
            {words.office_log_older()}
          </Button>
        )}
      </div>
    </>
  )
}

function NothingFound({ query: { filter, fromMs, toMs } }: { query: LogsQuery }) {
  const isNarrowed = filter !== '' || fromMs !== undefined || toMs !== undefined
  return <EmptyState title={words.office_log_none()} detail={isNarrowed ? words.office_log_no_matches() : words.office_log_none_yet()} />
}
