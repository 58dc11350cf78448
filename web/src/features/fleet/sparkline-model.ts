import { GAP_INTERVALS } from '../../chart/gap-rule.ts'

/** Data of one point of the sparkline: `position` from 0 (an hour ago) to 1 (now), `percent` from 0 to 100. */
export type SparkPoint = { readonly position: number; readonly percent: number }

/** Minimum value, in percent, at the top of the sparkline's scale, so that an idle system looks idle. */
const LOWEST_TOP_PERCENT = 25
/**
 * Maximum distance of two points of the sparkline that a line connects, as a fraction of the hour: 1.5 minutes. Samples arrive once a
 * minute.
 */
const GAP_SHARE = GAP_INTERVALS / 60

/** Returns the SVG path data (`d`) of a sparkline and of the area under it; gaps separate its strokes. */
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
