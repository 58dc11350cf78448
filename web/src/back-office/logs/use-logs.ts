import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { officeKeys } from '../../api/keys.ts'
import { fetchLogs, type LogItem, type LogsQuery } from './logs.ts'
import { useLogTail } from './use-log-tail.ts'

/**
 * Minimum number of log entries to show on the log page, 50. With fewer, a search that the hub interrupted at its time limit is continued
 * automatically.
 */
const ENOUGH = 50

/**
 * React hook: returns an infinite query (TanStack Query) of the log entries that match `query`, newest first, with the list of all loaded
 * entries. If `isFollowing` and the query has no end (`toMs`), entries written after the first page was read come before them.
 */
export function useLogs(query: LogsQuery, isFollowing: boolean) {
  const pages = useInfiniteQuery({
    queryKey: officeKeys.logPages(query),
    queryFn: ({ pageParam, signal }) => fetchLogs(query, pageParam, signal),
    initialPageParam: undefined as number | undefined, // what the pages after the first have
    getNextPageParam: ({ before }) => before,
    retry: false,
  })
  const { data, hasNextPage, isFetching, isError, fetchNextPage } = pages
  const older: readonly LogItem[] = data?.pages.flatMap(({ items }) => items) ?? []
  const searchedToMs = data?.pages.at(-1)?.searchedToMs
  const isSearching = searchedToMs !== undefined && hasNextPage && older.length < ENOUGH
  useEffect(() => {
    if (isSearching && !isFetching && !isError) void fetchNextPage()
  }, [isSearching, isFetching, isError, fetchNextPage])
  const newer = useLogTail(query, data?.pages[0]?.last, isFollowing && query.toMs === undefined)
  return { ...pages, items: [...newer, ...older], searchedToMs: isSearching ? searchedToMs : undefined }
}
