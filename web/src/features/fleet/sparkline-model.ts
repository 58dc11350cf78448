import { GAP_INTERVALS } from '../../chart/gap-rule.ts'

/** One point of the small line chart (sparkline) of CPU usage: `position` from 0 (an hour ago) to 1 (now), `percent` from 0 to 100. */
export type SparkPoint = { readonly position: number; readonly percent: number }

/** Minimum value, 25 %, at the top of the scale of the CPU sparkline (small line chart), so that an idle system looks idle. */
const LOWEST_TOP_PERCENT = 25
/**
 * Maximum distance of two points that the CPU sparkline joins by a line: 1.5 minutes, as a fraction of its hour. Between points farther
 * apart it has a gap. Samples arrive once a minute.
 */
const GAP_SHARE = GAP_INTERVALS / 60

/**
 * Returns the SVG path data (`d`) of the CPU sparkline (small line chart) and of the area under it. Where samples are missing, the line is
 * interrupted. `width` and `height` are in SVG units.
 */
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
