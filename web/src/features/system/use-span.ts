import { useMemo } from 'react'
import { defaultRange, rangeOf, type Range } from '../../api/ranges.ts'
import type { ChartSpan, TimeWindow } from '../../api/stats.ts'
import { clockNow } from '../../format/clock.ts'
import { textField } from '../../navigation/search.ts'
import { useSearchValues } from '../../navigation/use-search-values.ts'
import { useSettings } from '../../preferences/use-preferences.ts'
import { spanFields, spanOf, valuesOf, zoomedWindow, type SpanValues } from './span-model.ts'

const fields = { ...spanFields, dialog: textField() }

export type SpanControl = {
  readonly span: ChartSpan
  readonly setSpan: (span: ChartSpan) => void
  /**
   * Shows the time window that the user chose in the dialog. It writes the window to the URL and closes the dialog, in one entry of the
   * browser's history.
   */
  readonly pick: (window: TimeWindow) => void
  readonly zoomTo: (window: TimeWindow) => void
  /** True when the charts are live: they show one sample per second instead of stored history. */
  readonly isLive: boolean
  readonly setLive: (isLive: boolean) => void
  /**
   * Ends the zoom: the charts return from the selected time window to the preset range in the URL. Without one, they return to that of the
   * settings.
   */
  readonly zoomOut: () => void
}

/**
 * React hook: returns the time range of the charts and functions that change it. The URL stores it, so that links, reloads and Back restore
 * it.
 */
export function useSpan(): SpanControl {
  const { values, change, step } = useSearchValues<SpanValues & { readonly dialog: string }>(fields)
  // Default when the URL has no range.
  const chosen: Range = rangeOf(useSettings().range) ?? defaultRange
  const { range: rangeId, from, to, live } = values
  // Keeps its identity when other URL parameters change.
  const span = useMemo(() => spanOf({ range: rangeId, from, to, live }, chosen), [rangeId, from, to, live, chosen])
  const setSpan = (next: ChartSpan) => step(valuesOf(next))
  const range = { kind: 'range', range: rangeOf(rangeId) ?? chosen } as const
  return {
    span,
    setSpan,
    pick: (window) => change({ ...valuesOf({ kind: 'window', window }), dialog: '' }),
    isLive: span.kind === 'range' && live === '1',
    setLive: (isLive) => step({ ...valuesOf(range), live: isLive ? '1' : undefined }),
    zoomTo: (window) => {
      const zoomed = zoomedWindow(window, clockNow())
      if (zoomed !== undefined) setSpan({ kind: 'window', window: zoomed })
    },
    zoomOut: () => {
      if (span.kind === 'window') setSpan(range)
    },
  }
}
