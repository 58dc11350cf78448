import type { ChartWindow } from '../../chart/chart-drawing.ts'

const MINUTE_MS = 60_000

/** A window that begins at a first sample is at least this long: the first line grows from the left into the time to come. */
export const LEAST_COLLECTED_MS = 5 * MINUTE_MS

/** When the first sample of a new system came, epoch ms; `undefined` while none has come. */
export type Collecting = { readonly sinceMs: number | undefined }

type CollectedWindow = {
  readonly window: ChartWindow
  /** `undefined` when the samples fill the range, or none was read yet. */
  readonly collecting?: Collecting
}

/** Times of a frame's points, epoch ms, ascending. */
type Frame = { readonly times: readonly number[] }

/** Whether a system is younger than a range. One without a known time of creation counts as old. */
export const isAddedWithin = ({ fromMs }: ChartWindow, createdMs: number | undefined): createdMs is number =>
  createdMs !== undefined && createdMs > fromMs

/**
 * The part of a preset range that a new system has samples of: it begins at the first one and grows until it fills the range. In the first
 * minutes it ends after the range. `frames` are the system's readings over the range; `undefined` for one that was not read.
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
  // A roll-up has the time of its end: a system that was added in the middle of it has sent since then.
  const isAddedInBucket = createdMs !== undefined && createdMs < firstMs && createdMs > firstMs - stepMs
  return { window: { fromMs: firstMs, toMs }, collecting: { sinceMs: isAddedInBucket ? createdMs : firstMs } }
}
