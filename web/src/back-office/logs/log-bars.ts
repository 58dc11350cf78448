import type { HistogramData } from './logs.ts'

/**
 * Part of a bar in the log histogram for one log level. Positions and sizes are fractions of the drawing, 0 to 1; `top` counts from above.
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
 * Returns a list with the stacked parts of the bars in the log histogram. The highest level is at the bottom, where even few entries are
 * visible.
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
 * Returns the time range in epoch ms between two horizontal positions in the log histogram (fractions of the width, 0 to 1, in any order),
 * rounded outwards to whole bars.
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
