import { useMemo } from 'react'
import { useSearchParams } from 'wouter'
import { defaultRange, rangeOf, type Range } from '../../api/ranges.ts'
import { shownSettings } from '../../preferences/shown-settings.ts'
import type { ChartSpan } from '../../api/stats-query.ts'
import type { TimeWindow } from '../../api/stats.ts'
import { parseSpan, withSpan } from './span-model.ts'

export type SpanControl = {
  readonly span: ChartSpan
  readonly setSpan: (span: ChartSpan) => void
  readonly zoomTo: (window: TimeWindow) => void
  /** Whether what is measured each second is to be shown. */
  readonly isLive: boolean
  readonly setLive: (isLive: boolean) => void
  /** Back from a window to the range it was opened from. */
  readonly zoomOut: () => void
}

/** What is shown where the address says nothing. */
const chosenRange = (): Range => rangeOf(shownSettings().range) ?? defaultRange

/** What the charts show; it stands in the address, so a link, a reload and Back restore it. */
export function useSpan(): SpanControl {
  const [search, setSearch] = useSearchParams()
  const text = search.toString()
  const span = useMemo(() => parseSpan(new URLSearchParams(text), chosenRange()), [text])
  const setSpan = (next: ChartSpan) => setSearch((current) => withSpan(current, next))
  return {
    span,
    setSpan,
    isLive: span.kind === 'range' && search.get('live') === '1',
    setLive: (isLive) =>
      setSearch((current) => {
        const next = withSpan(current, { kind: 'range', range: rangeOf(current.get('range')) ?? chosenRange() })
        if (isLive) next.set('live', '1')
        return next
      }),
    zoomTo: (window) => {
      const next = { kind: 'window', window } as const
      // A window too short to be one is no wish to zoom.
      if (parseSpan(withSpan(new URLSearchParams(), next)).kind === 'window') setSpan(next)
    },
    zoomOut: () => {
      if (span.kind === 'window') setSpan({ kind: 'range', range: rangeOf(search.get('range')) ?? chosenRange() })
    },
  }
}
