import { queryOptions } from '@tanstack/react-query'
import type { Range } from './ranges.ts'
import type { SeriesFrame } from './series-frame.ts'
import { fetchRange, fetchWindow, type HistoryKind, type StatsKind, type TimeWindow } from './stats.ts'

/** What charts show: a preset range that ends now, or a window that a person picked. */
export type ChartSpan = { readonly kind: 'range'; readonly range: Range } | { readonly kind: 'window'; readonly window: TimeWindow }

export const statsQuery = (systemId: string, kind: StatsKind, span: ChartSpan) =>
  queryOptions({
    queryKey: ['stats', systemId, kind, span.kind === 'range' ? span.range.id : span.window],
    queryFn: () => (span.kind === 'range' ? fetchRange(systemId, kind, span.range) : fetchWindow(systemId, kind, span.window)),
    // A range that is left is forgotten: the next one starts from nothing, as does coming back to this one.
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  })

/** A frame for each kind the history tells apart, containers excepted. */
export type HistoryFrames = Readonly<Record<Exclude<HistoryKind, 'containers'>, SeriesFrame>>

/** The same span of what the preset ranges' records do not hold. */
export const historyQuery = (systemId: string, span: ChartSpan) =>
  queryOptions({
    queryKey: ['history', systemId, span.kind === 'range' ? span.range.id : span.window],
    queryFn: async (): Promise<HistoryFrames> => {
      const toMs = Date.now()
      const window = span.kind === 'range' ? { fromMs: toMs - span.range.spanMs, toMs } : span.window
      const [system, disks, interfaces, gpus, sensors] = await Promise.all([
        fetchWindow(systemId, 'system', window),
        fetchWindow(systemId, 'disks', window),
        fetchWindow(systemId, 'interfaces', window),
        fetchWindow(systemId, 'gpus', window),
        fetchWindow(systemId, 'sensors', window),
      ])
      return { system, disks, interfaces, gpus, sensors }
    },
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  })
