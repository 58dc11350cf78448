import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { useCallback } from 'react'
import { statsQuery, type ChartSpan } from '../../api/stats-query.ts'
import type { SeriesFrame } from '../../api/series-frame.ts'
import type { StatsKind } from '../../api/stats.ts'
import type { System } from '../../api/system-record.ts'
import { useRenewal } from './use-renewal.ts'

/** One set of charts: it may fail without the other. */
export type StatsSet =
  /** `hasFailed` once one try did: another follows, which nothing else waits for. */
  | { readonly state: 'loading'; readonly hasFailed: boolean }
  | { readonly state: 'failed'; readonly error: unknown; readonly retry: () => void }
  | { readonly state: 'ready'; readonly frame: SeriesFrame }

export type Stats = Readonly<Record<StatsKind, StatsSet>> & {
  /** Either set is being read. */
  readonly isReading: boolean
}

/** Both sets of a system over a span, read at once and renewed when the system says that there is more. */
export function useStats(system: System, span: ChartSpan): Stats {
  const host = useQuery(statsQuery(system.id, 'system', span))
  const containers = useQuery(statsQuery(system.id, 'containers', span))
  const [{ refetch: refetchHost }, { refetch: refetchContainers }] = [host, containers]
  useRenewal(
    { span, sampledAtMs: system.latest.sampledAtMs, isWanted: true },
    useCallback(() => {
      void refetchHost()
      void refetchContainers()
    }, [refetchHost, refetchContainers]),
  )

  return { system: toSet(host), containers: toSet(containers), isReading: host.isFetching || containers.isFetching }
}

function toSet({ data, isError, error, failureCount, refetch }: UseQueryResult<SeriesFrame>): StatsSet {
  if (data !== undefined) return { state: 'ready', frame: data }
  return isError ? { state: 'failed', error, retry: () => void refetch() } : { state: 'loading', hasFailed: failureCount > 0 }
}
