import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { historyQuery, type ChartSpan, type HistoryFrames } from '../../../api/stats-query.ts'
import type { System } from '../../../api/system-record.ts'

export type More =
  | { readonly state: 'loading' }
  | { readonly state: 'failed'; readonly error: unknown; readonly retry: () => void }
  | { readonly state: 'ready'; readonly frames: HistoryFrames }

/** A system's history over a span, read when it is wanted and renewed when the system has a newer sample. */
export function useHistory(system: System, span: ChartSpan, isWanted: boolean): More {
  const { data, isError, error, refetch } = useQuery({ ...historyQuery(system.id, span), enabled: isWanted })
  const { sampledAtMs } = system.latest

  useEffect(() => {
    if (!isWanted || span.kind === 'window' || data === undefined || sampledAtMs === undefined) return
    if (sampledAtMs - (data.system.times.at(-1) ?? 0) >= span.range.intervalMs / 2) void refetch()
    // The data is not a reason: what was just read is not to be read again.
    // oxlint-disable-next-line react/exhaustive-deps -- see above
  }, [sampledAtMs, span, isWanted, refetch])

  if (data !== undefined) return { state: 'ready', frames: data }
  return isError ? { state: 'failed', error, retry: () => void refetch() } : { state: 'loading' }
}
