import { defaultRange, rangeOf, type Range } from '../../api/ranges.ts'
import type { ChartSpan } from '../../api/stats-query.ts'

/** No window is shorter: nothing finer than a second is stored. */
export const LEAST_WINDOW_MS = 10_000

/** What the address asks to be shown: a window, a preset range, or without either the default range. */
export function parseSpan(search: URLSearchParams, otherwise: Range = defaultRange): ChartSpan {
  const fromMs = wholeNumber(search.get('from'))
  const toMs = wholeNumber(search.get('to'))
  if (fromMs !== undefined && toMs !== undefined && toMs - fromMs >= LEAST_WINDOW_MS) return { kind: 'window', window: { fromMs, toMs } }
  return { kind: 'range', range: rangeOf(search.get('range')) ?? otherwise }
}

/** The address parts for a span; a window keeps the range it was opened from, so that there is a way back. */
export function withSpan(search: URLSearchParams, span: ChartSpan): URLSearchParams {
  const next = new URLSearchParams(search)
  next.delete('from')
  next.delete('to')
  // Whoever picks a time wants to see it stand.
  next.delete('live')
  if (span.kind === 'range') {
    next.set('range', span.range.id)
  } else {
    next.set('from', `${span.window.fromMs}`)
    next.set('to', `${span.window.toMs}`)
  }
  return next
}

function wholeNumber(text: string | null): number | undefined {
  return text !== null && /^\d{1,15}$/.test(text) ? Number(text) : undefined
}
