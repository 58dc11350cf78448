import { queryOptions } from '@tanstack/react-query'
import type { Range } from './ranges.ts'
import { fetchRange, fetchWindow, type StatsKind, type TimeWindow } from './stats.ts'

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
