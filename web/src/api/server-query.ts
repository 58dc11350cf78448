import { QueryClient, queryOptions, type QueryKey, type UseQueryOptions } from '@tanstack/react-query'
import { RequestFailed } from './request-failed.ts'

const MAX_RETRIES = 2

/** The one place where the dashboard holds what the hub said. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      retry: (failures, error) => failures < MAX_RETRIES && (!(error instanceof RequestFailed) || error.retryable),
    },
  },
})

type ReadingOptions<T> = Omit<UseQueryOptions<T>, 'queryKey' | 'queryFn'>

/** A query of the hub. Its request ends when nothing shows the query any more. */
export const serverQuery = <T>(queryKey: QueryKey, read: (signal: AbortSignal) => Promise<T>, options: ReadingOptions<T> = {}) =>
  queryOptions({ ...options, queryKey, queryFn: ({ signal }) => read(signal) })
