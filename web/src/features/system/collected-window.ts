import type { ChartWindow } from '../../chart/chart-drawing.ts'

const MINUTE_MS = 60_000

/**
 * Minimum length in ms of the time range that charts of a new system show: 5 min. The first lines then start at the left and grow to the
 * right.
 */
export const LEAST_COLLECTED_MS = 5 * MINUTE_MS

/**
 * State of a system so new that its samples do not yet fill the shown time range. `sinceMs` (epoch ms) is when collecting began: its first
 * sample or, shortly before, its creation. `undefined` before the first sample.
 */
export type Collecting = { readonly sinceMs: number | undefined }

type CollectedWindow = {
  readonly window: ChartWindow
  /**
   * Set while a new system's samples do not fill the time range that the charts show; the page then says since when data are collected.
   * Absent otherwise, and while all data load.
   */
  readonly collecting?: Collecting
}

/** Loaded time series of a new system, reduced to the list of their common times in epoch ms, ascending. */
type Frame = { readonly times: readonly number[] }

/** Returns true when the system was added to the hub after the start of the shown time range; false when its creation time is unknown. */
export const isAddedWithin = ({ fromMs }: ChartWindow, createdMs: number | undefined): createdMs is number =>
  createdMs !== undefined && createdMs > fromMs

/**
 * Returns, as `window`, the time range that the charts of a new system show: from its first sample to now, at least 5 min. It is `range`
 * before that sample, and once the samples fill `range`. `collecting` is absent while all data load, and once the samples fill `range`.
 */
export function collectedWindow(
  range: ChartWindow,
  createdMs: number | undefined,
  frames: readonly (Frame | undefined)[],
): CollectedWindow {
  const read = frames.filter((frame) => frame !== undefined)
  if (read.length === 0) return { window: range }
  const [first] = read.map(({ times }) => times).toSorted((one, other) => (one[0] ?? Infinity) - (other[0] ?? Infinity))
  const [firstMs, secondMs] = first ?? []
  if (firstMs === undefined) return { window: range, collecting: { sinceMs: undefined } }
  const stepMs = secondMs === undefined ? MINUTE_MS : secondMs - firstMs
  if (firstMs - range.fromMs <= stepMs) return { window: range }
  const toMs = Math.max(range.toMs, firstMs + LEAST_COLLECTED_MS)
  // A roll-up's time is the end of its bucket. A system that was created within that bucket has sent samples since its creation.
  const isAddedInBucket = createdMs !== undefined && createdMs < firstMs && createdMs > firstMs - stepMs
  return { window: { fromMs: firstMs, toMs }, collecting: { sinceMs: isAddedInBucket ? createdMs : firstMs } }
}
