import { rangeOf, type Range, type RangeId } from '../../api/ranges.ts'
import type { ChartSpan, TimeWindow } from '../../api/stats.ts'
import { numberField, wordField } from '../../navigation/search.ts'

/** No window is shorter: nothing finer than a second is stored. */
export const LEAST_WINDOW_MS = 10_000

/** The state of the charts that is in the address. */
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

/** The window or preset range in the address; without either, the chosen range. */
export function spanOf({ range, from: fromMs, to: toMs }: SpanValues, chosen: Range): ChartSpan {
  if (fromMs !== undefined && toMs !== undefined && toMs - fromMs >= LEAST_WINDOW_MS) return { kind: 'window', window: { fromMs, toMs } }
  return { kind: 'range', range: rangeOf(range) ?? chosen }
}

/** The values of a span. A window keeps the range it was opened from, so that there is a way back; a span that is picked stands still. */
export function valuesOf(span: ChartSpan): Partial<SpanValues> {
  if (span.kind === 'range') return { range: span.range.id, from: undefined, to: undefined, live: undefined }
  return { from: Math.round(span.window.fromMs), to: Math.round(span.window.toMs), live: undefined }
}

/**
 * The window to zoom to, up to now: nothing of a picked window is to come, also where the charts of a new system reach into the time to come.
 * `undefined` for one that is too short: that was no wish to zoom.
 */
export function zoomedWindow({ fromMs, toMs }: TimeWindow, nowMs: number): TimeWindow | undefined {
  const window = { fromMs, toMs: Math.min(toMs, nowMs) }
  return fromMs >= 0 && window.toMs - fromMs >= LEAST_WINDOW_MS ? window : undefined
}
