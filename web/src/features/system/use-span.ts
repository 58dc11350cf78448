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
  /** In place of the dialog that the window was picked in. */
  readonly pick: (window: TimeWindow) => void
  readonly zoomTo: (window: TimeWindow) => void
  /** Whether what is measured each second is to be shown. */
  readonly isLive: boolean
  readonly setLive: (isLive: boolean) => void
  /** Back from a window to the range it was opened from. */
  readonly zoomOut: () => void
}

/** Time range of the charts. It is in the address, so a link, a reload and Back restore it. */
export function useSpan(): SpanControl {
  const { values, change, step } = useSearchValues<SpanValues & { readonly dialog: string }>(fields)
  // Where the address says nothing.
  const chosen: Range = rangeOf(useSettings().range) ?? defaultRange
  const { range: rangeId, from, to, live } = values
  // The same one when something else in the address changes.
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
