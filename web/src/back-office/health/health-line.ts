import type { HealthSign, HealthWindow } from './hub-health.ts'

/** A run of values without a gap, as shares of the drawing: `x` from the left, `y` from above. */
export type Run = readonly { readonly x: number; readonly y: number }[]

/** A measurement counts for this many intervals. If the next one is later, the line has a gap. */
const GAP_STEPS = 1.5

/** The smallest round number that nothing is above: 1, 2 or 5 and zeros; of bytes a power of two. */
export function roundTop(most: number, isBytes: boolean): number {
  if (most <= 0) return 1
  if (isBytes) return 2 ** Math.ceil(Math.log2(most))
  const ten = 10 ** Math.floor(Math.log10(most))
  return ten * ([1, 2, 5].find((times) => times * ten >= most) ?? 10)
}

/** The line of one sign below `top`; minutes that are missing part it. */
export function runsOf({ fromMs, toMs, stepMs, points }: HealthWindow, sign: HealthSign, top: number): readonly Run[] {
  const runs: { x: number; y: number }[][] = []
  let lastMs = Number.NEGATIVE_INFINITY
  for (const { atMs, [sign]: value } of points) {
    if (value === undefined) continue
    if (atMs - lastMs > stepMs * GAP_STEPS) runs.push([])
    lastMs = atMs
    runs.at(-1)?.push({ x: (atMs - fromMs) / (toMs - fromMs), y: 1 - value / top })
  }
  return runs
}

/** A path of such a run (SVG 2, 9.3); a value that stands alone is a dot, which a round end of the line draws. */
export const pathOf = (run: Run): string =>
  run.map(({ x, y }, index) => `${index === 0 ? 'M' : 'L'}${x.toFixed(5)} ${y.toFixed(4)}`).join('') + (run.length === 1 ? 'h0' : '')

/** The measurement nearest to a place of the drawing; undefined where there is none at all. */
export function nearest({ fromMs, toMs, points }: HealthWindow, share: number): number | undefined {
  const wantedMs = fromMs + share * (toMs - fromMs)
  let found: number | undefined
  for (const [index, { atMs }] of points.entries())
    if (found === undefined || Math.abs(atMs - wantedMs) < Math.abs((points[found]?.atMs ?? 0) - wantedMs)) found = index
  return found
}
