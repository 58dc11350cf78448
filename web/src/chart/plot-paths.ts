import type uPlot from 'uplot'
import { runsOf, type Placing, type Run, type Traced } from './trace.ts'

/** With the width of the line around it the point is about as large again. */
const POINT_RADIUS_PIXELS = 1.2

type Placed = Pick<uPlot, 'bbox' | 'scales'>

/** Where a plot's times and values lie on its canvas, in the canvas's pixels. */
function placingIn({ bbox: { left, top, width, height }, scales: { x, y } }: Placed): Placing {
  const [from, to, lowest, highest] = [x?.min ?? 0, x?.max ?? 1, y?.min ?? 0, y?.max ?? 1]
  const [perMs, perValue] = [width / (to - from), height / (lowest - highest)]
  return { x: { start: left - from * perMs, perUnit: perMs }, y: { start: top - highest * perValue, perUnit: perValue } }
}

/** With more values than pixels a line is drawn as thin as it can be: a thicker one would show less of them, for ten times the work. */
const THIN = { _width: 1 }

/**
 * A line and the area below it, which ends at `lower` or at zero, as the library takes them. Its own areas are cut out of larger ones, and
 * its lines go through every value: of a day in minutes that costs several times as much.
 */
export function linePaths(plot: Placed, traced: Traced) {
  const placing = placingIn(plot)
  const [stroke, fill] = [new Path2D(), new Path2D()]
  for (const run of runsOf(traced, placing)) {
    if (run.line.length === 2) addPoint(stroke, run.line)
    else follow(stroke, run.line)
    addArea(fill, run, placing.y.start)
  }
  return { stroke, fill, ...(traced.times.length > plot.bbox.width ? THIN : {}) }
}

/** The area alone. */
export const areaPath = (plot: Placed, traced: Traced): Path2D => linePaths(plot, traced).fill

function follow(path: Path2D, points: readonly number[]): void {
  path.moveTo(points[0] ?? 0, points[1] ?? 0)
  for (let index = 2; index < points.length; index += 2) path.lineTo(points[index] ?? 0, points[index + 1] ?? 0)
}

/** A value between two gaps is no line: it is drawn as a point. */
function addPoint(path: Path2D, [x = 0, y = 0]: readonly number[]): void {
  path.moveTo(x + POINT_RADIUS_PIXELS, y)
  path.arc(x, y, POINT_RADIUS_PIXELS, 0, 2 * Math.PI)
}

function addArea(path: Path2D, { top, bottom }: Run, zeroY: number): void {
  follow(path, top)
  for (let index = bottom.length - 2; index >= 0; index -= 2) path.lineTo(bottom[index] ?? 0, bottom[index + 1] ?? 0)
  if (bottom.length === 0) {
    path.lineTo(top.at(-2) ?? 0, zeroY)
    path.lineTo(top[0] ?? 0, zeroY)
  }
  path.closePath()
}
