import { rangeOf, type Range, type RangeId } from '../../api/ranges.ts'
import type { ChartSpan, TimeWindow } from '../../api/stats.ts'
import { numberField, wordField } from '../../navigation/search.ts'

/** Minimum length in ms, 10 s, of a time window that charts show; a shorter one in the URL is ignored. */
export const LEAST_WINDOW_MS = 10_000

/**
 * URL search parameters for the charts' time range and live mode: an object from name to codec (functions that read and write the
 * parameter's text).
 */
export const spanFields = {
  range: wordField<RangeId, undefined>(['1h', '12h', '24h', '1w', '30d'], undefined),
  from: numberField(undefined),
  to: numberField(undefined),
  live: wordField(['1'], undefined),
}

export type SpanValues = {
  readonly range: RangeId | undefined
  readonly from: number | undefined
  readonly to: number | undefined
  readonly live: '1' | undefined
}

/**
 * Returns the time range of the charts from the URL: its window (if at least 10 s long), else its preset, such as `12h`. If the URL has
 * neither, it is `chosen`, the preset in the user's settings.
 */
export function spanOf({ range, from: fromMs, to: toMs }: SpanValues, chosen: Range): ChartSpan {
  if (fromMs !== undefined && toMs !== undefined && toMs - fromMs >= LEAST_WINDOW_MS) return { kind: 'window', window: { fromMs, toMs } }
  return { kind: 'range', range: rangeOf(range) ?? chosen }
}

/**
 * Returns the URL parameters that select a time range and switch live charts off. A window sets `from` and `to` but not `range`, so that
 * ending the zoom can return to the preset.
 */
export function valuesOf(span: ChartSpan): Partial<SpanValues> {
  if (span.kind === 'range') return { range: span.range.id, from: undefined, to: undefined, live: undefined }
  return { from: Math.round(span.window.fromMs), to: Math.round(span.window.toMs), live: undefined }
}

/**
 * Returns the time window that a zoom has selected, with its end limited to now. `undefined` when it is shorter than 10 s or starts before
 * 1970; the zoom is then ignored.
 */
export function zoomedWindow({ fromMs, toMs }: TimeWindow, nowMs: number): TimeWindow | undefined {
  const window = { fromMs, toMs: Math.min(toMs, nowMs) }
  return fromMs >= 0 && window.toMs - fromMs >= LEAST_WINDOW_MS ? window : undefined
}
