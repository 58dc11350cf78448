import { useQuery } from '@tanstack/react-query'
import { useCallback } from 'react'
import { historyQuery, type HistoryFrames } from '../../../api/history-query.ts'
import type { ChartSpan } from '../../../api/stats.ts'
import type { System } from '../../../api/system-record.ts'
import { useRenewal } from '../use-renewal.ts'

export type More =
  | { readonly state: 'loading' }
  | { readonly state: 'failed'; readonly error: unknown; readonly retry: () => void }
  | { readonly state: 'ready'; readonly frames: HistoryFrames }

/**
 * React hook: loads a system's history in a time range while `isWanted`, and returns the loading state with the series. A preset range is
 * loaded again when a sample arrives that is half a sampling interval newer.
 */
export function useHistory(system: System, span: ChartSpan, isWanted: boolean): More {
  const { data, isError, error, refetch } = useQuery({ ...historyQuery(system.id, span), enabled: isWanted })
  useRenewal(
    { span, sampledAtMs: system.latest.sampledAtMs, isWanted },
    useCallback(() => void refetch(), [refetch]),
  )

  if (data !== undefined) return { state: 'ready', frames: data }
  return isError ? { state: 'failed', error, retry: () => void refetch() } : { state: 'loading' }
}
