import { GAP_INTERVALS } from '../../chart/gap-rule.ts'

/** A value at a moment of the hour: `position` 0–1 from its start to its end, percent 0–100. */
export type SparkPoint = { readonly position: number; readonly percent: number }

/** The top of the scale, so that an idle system shows as idle and not as noise. */
const LOWEST_TOP_PERCENT = 25
/** Points further apart than this (in shares of the hour) are not joined. Samples come once a minute. */
const GAP_SHARE = GAP_INTERVALS / 60

/** The line and the area below it as path data; separate strokes where there is a gap. */
export function sparklinePath(
  points: readonly SparkPoint[],
  width: number,
  height: number,
): { readonly line: string; readonly area: string } {
  const top = Math.max(LOWEST_TOP_PERCENT, ...points.map(({ percent }) => percent))
  let [line, area, end, last] = ['', '', '', Number.NaN]
  for (const { position, percent } of points) {
    const x = round(position * width)
    const place = `${x} ${round(height - 1 - (percent / top) * (height - 3))}`
    const isJoined = position - last <= GAP_SHARE
    line += (isJoined ? 'L' : 'M') + place
    area += isJoined ? `L${place}` : `${end}M${x} ${height}L${place}`
    end = `V${height}Z`
    last = position
  }
  return { line, area: area + end }
}

const round = (value: number): number => Math.round(value * 10) / 10
