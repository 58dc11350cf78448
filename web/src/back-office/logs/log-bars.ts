import type { HistogramData } from './logs.ts'

/**
 * Segment of one bar of the log histogram: the entries of one log level. Positions and sizes are fractions of the drawing, 0 to 1; `top`
 * counts from above.
 */
export type BarPart = {
  readonly key: string
  readonly level: number
  readonly left: number
  readonly width: number
  readonly top: number
  readonly height: number
}

/**
 * Returns the list of segments, one for each bar and log level, of the log histogram. The highest level is at the bottom, where even few
 * entries are visible.
 */
export function barParts({ fromMs, toMs, barMs, bars }: HistogramData): readonly BarPart[] {
  const firstMs = Math.floor(fromMs / barMs) * barMs
  const spanMs = Math.max(Math.ceil(toMs / barMs) * barMs - firstMs, barMs)
  const byStart = Map.groupBy(bars, ({ startMs }) => startMs)
  const most = Math.max(1, ...[...byStart.values()].map((group) => group.reduce((sum, { entries }) => sum + entries, 0)))
  return [...byStart].flatMap(([startMs, group]) => {
    let foot = 1
    return group
      .toSorted((a, b) => b.level - a.level)
      .map(({ level, entries }) => {
        const height = entries / most
        foot -= height
        return { key: `${startMs} ${level}`, level, left: (startMs - firstMs) / spanMs, width: barMs / spanMs, top: foot, height }
      })
  })
}

/**
 * Returns the time range, in epoch ms, that a drag across the log histogram selects, rounded outwards to whole bars, at least one. The two
 * positions are fractions of its width, in any order; values outside 0 to 1 are limited to it.
 */
export function brushedRange(
  { fromMs, toMs, barMs }: HistogramData,
  one: number,
  other: number,
): { readonly fromMs: number; readonly toMs: number } {
  const firstMs = Math.floor(fromMs / barMs) * barMs
  const spanMs = Math.max(Math.ceil(toMs / barMs) * barMs - firstMs, barMs)
  const at = (share: number): number => (Math.min(Math.max(share, 0), 1) * spanMs) / barMs
  const [from, to] = [Math.floor(at(Math.min(one, other))), Math.ceil(at(Math.max(one, other)))]
  return { fromMs: firstMs + from * barMs, toMs: firstMs + Math.max(to, from + 1) * barMs }
}
