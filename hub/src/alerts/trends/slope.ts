/** One value of a measured series: time in epoch ms, and the value in the unit of the series. */
export type SeriesPoint = { readonly atMs: number; readonly value: number }

/** Growth of a series in its unit per hour, with the ends of its uncertainty interval. `low` ≤ `value` ≤ `high`. */
export type Slope = { readonly value: number; readonly low: number; readonly high: number }

const HOUR_MS = 3_600_000
/** Number of parts of equal length into which the time range of a series is divided: 8. The spread of their slopes is the uncertainty. */
const PARTS = 8
/** Minimum number of the 8 parts of a time range for which a slope could be computed: 6. With fewer, the slope of the series is unknown. */
const LEAST_PARTS = 6
/** Minimum number of pairs of values from which the slope of one part (an eighth) of a time range is computed: 2. */
const LEAST_PAIRS = 2
/**
 * Minimum time between the two values of a pair from which a slope is computed, as a share of the time range: 1/12. Shorter pairs show only
 * noise. `LONGEST_PAIR` is the maximum, 1/4.
 */
const SHORTEST_PAIR = 1 / 12
const LONGEST_PAIR = 1 / 4
/**
 * Half the width of the uncertainty interval, in median absolute deviations of the slopes of the parts: 2. For independent normal noise the
 * interval then contains the true slope in about 95 % of all cases.
 */
const INTERVAL_DEVIATIONS = 2

/**
 * Returns the growth per hour of a series (Theil–Sen with short pairs): median of the slopes of 8 parts, each the median over value pairs.
 * Single steps and up to 20 % outliers hardly change it. `undefined` when fewer than 6 parts have 2 pairs. `points` must be finite and
 * ascend in time.
 */
export function slopeOf(points: readonly SeriesPoint[]): Slope | undefined {
  const slopes = partSlopes(points)
  if (slopes.length < LEAST_PARTS) return undefined
  const value = medianOf(slopes)
  const deviation = medianOf(slopes.map((slope) => Math.abs(slope - value)))
  return { value, low: value - INTERVAL_DEVIATIONS * deviation, high: value + INTERVAL_DEVIATIONS * deviation }
}

function partSlopes(points: readonly SeriesPoint[]): readonly number[] {
  const fromMs = points[0]?.atMs ?? 0
  const spanMs = (points.at(-1)?.atMs ?? 0) - fromMs
  const [shortestMs, longestMs] = [spanMs * SHORTEST_PAIR, spanMs * LONGEST_PAIR]
  const parts: number[][] = Array.from({ length: PARTS }, () => [])
  for (const [at, first] of points.entries()) {
    for (let other = at + 1; other < points.length; other++) {
      const second = points[other]
      if (second === undefined || second.atMs - first.atMs > longestMs) break
      if (second.atMs - first.atMs < shortestMs || second.atMs === first.atMs) continue
      // The middle of a pair lies at least half the shortest distance away from both ends of the time range.
      const middle = ((first.atMs + second.atMs) / 2 - fromMs - shortestMs / 2) / (spanMs - shortestMs)
      parts[Math.min(PARTS - 1, Math.max(0, Math.floor(middle * PARTS)))]?.push(
        ((second.value - first.value) / (second.atMs - first.atMs)) * HOUR_MS,
      )
    }
  }
  return parts.filter((pairs) => pairs.length >= LEAST_PAIRS).map(medianOf)
}

/**
 * Returns how fast a series grew, in its unit per hour: the median change between values that are a quarter of the list apart. A single
 * step or outlier does not change it. `undefined` with fewer than 5 values. `points` ascend in time.
 */
export function growthRate(points: readonly SeriesPoint[]): number | undefined {
  if (points.length < LEAST_RATE_VALUES) return undefined
  const distance = Math.max(1, Math.floor(points.length / 4))
  const changes: number[] = []
  for (let at = distance; at < points.length; at++) {
    const [first, second] = [points[at - distance], points[at]]
    if (first === undefined || second === undefined || second.atMs <= first.atMs) continue
    changes.push(((second.value - first.value) / (second.atMs - first.atMs)) * HOUR_MS)
  }
  return changes.length === 0 ? undefined : medianOf(changes)
}

/** Minimum number of values from which a rate of change is computed: 5. */
export const LEAST_RATE_VALUES = 5

/** Returns the median of a list of finite numbers, the mean of the two middle ones for an even count. NaN for an empty list. */
export function medianOf(values: readonly number[]): number {
  const sorted = Float64Array.from(values).toSorted()
  const middle = sorted.length >> 1
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2
}
