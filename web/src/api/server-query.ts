import { QueryClient, queryOptions, type QueryKey, type UseQueryOptions } from '@tanstack/react-query'
import { RequestFailed } from './request-failed.ts'

const MAX_RETRIES = 2

/**
 * The page's TanStack Query client (cache of responses). Responses count as fresh for 30 s. A failed query is retried up to twice, unless
 * the hub refused it (status 400 to 499 other than 429) or the page aborted it.
 */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      retry: (failures, error) => failures < MAX_RETRIES && (!(error instanceof RequestFailed) || error.retryable),
    },
  },
})

type ReadingOptions<T> = Omit<UseQueryOptions<T>, 'queryKey' | 'queryFn'>

/**
 * Returns TanStack Query options with the key `queryKey` and the fetch function `read`. The signal of `read` aborts when no component uses
 * the query any more.
 */
export const serverQuery = <T>(queryKey: QueryKey, read: (signal: AbortSignal) => Promise<T>, options: ReadingOptions<T> = {}) =>
  queryOptions({ ...options, queryKey, queryFn: ({ signal }) => read(signal) })
