/** A value at a moment of the hour: `position` 0–1 from its start to its end, percent 0–100. */
export type SparkPoint = { readonly position: number; readonly percent: number }

/** The top of the scale, so that an idle system shows as idle and not as noise. */
const LOWEST_TOP_PERCENT = 25
/** Points further apart than this (in shares of the hour) are not joined. */
const GAP_SHARE = 2.5 / 60

/** The line and the area below it as path data; separate strokes where there is a gap. */
export function sparklinePath(
  points: readonly SparkPoint[],
  width: number,
  height: number,
): { readonly line: string; readonly area: string } {
  const top = Math.max(LOWEST_TOP_PERCENT, ...points.map(({ percent }) => percent))
  const place = ({ position, percent }: SparkPoint) => `${round(position * width)} ${round(height - 1 - (percent / top) * (height - 3))}`
  const strokes = splitAtGaps(points)
  const line = strokes.map((stroke) => `M${stroke.map(place).join('L')}`).join('')
  const area = strokes
    .map((stroke) => `M${round((stroke[0]?.position ?? 0) * width)} ${height}L${stroke.map(place).join('L')}V${height}Z`)
    .join('')
  return { line, area }
}

function splitAtGaps(points: readonly SparkPoint[]): readonly (readonly SparkPoint[])[] {
  const strokes: SparkPoint[][] = []
  for (const point of points) {
    const stroke = strokes.at(-1)
    const previous = stroke?.at(-1)
    if (stroke === undefined || previous === undefined || point.position - previous.position > GAP_SHARE) strokes.push([point])
    else stroke.push(point)
  }
  return strokes
}

const round = (value: number): number => Math.round(value * 10) / 10
