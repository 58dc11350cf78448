import type uPlot from 'uplot'
import type { Series } from 'uplot'
import type { Column } from '../format/column.ts'
import { areaFill } from './area-fill.ts'
import { colourOf, faint } from './chart-colours.ts'
import type { ChartDrawing } from './chart-drawing.ts'
import { layoutOf } from './drawing-layout.ts'
import { dashOf, plainStyle } from './patterns.ts'
import type { PlotState } from './plot-reading.ts'
import { knownRuns, type KnownRun } from './series-frame.ts'

const stackFill = { area: 45, hatch: 55 }
const lineFill = { area: 13, hatch: 40 }
const BAND_FILL_PERCENT = 22
/** With the width of the line around it the point is about as large again. */
const POINT_RADIUS_PIXELS = 1.2
/** The only point of a chart is all there is to see: a dot, drawn as two rings of the width of a line. */
const ONLY_POINT_RADII = [0.7, 2]
/** With more values than pixels a line is drawn as thin as it can be: a thicker one would show less of them, for ten times the work. */
const THIN = { _width: 1 }

/** Draws the state at once. The plot takes the columns of the layout as they are. */
export function showIn(plot: uPlot, read: () => PlotState): void {
  const { drawing, window, axis } = read()
  plot.batch(() => {
    // The first series are the times.
    while (plot.series.length - 1 < drawing.lines.length) plot.addSeries(lineSeries(read))
    while (plot.series.length - 1 > drawing.lines.length) plot.delSeries(plot.series.length - 1)
    drawing.lines.forEach(({ style: { pattern, isFilled } = plainStyle }, index) => {
      const series = plot.series[index + 1]
      if (series !== undefined) series.dash = isFilled ? [] : dashOf(pattern).map((length) => length * devicePixelRatio)
    })
    // The library reads its data and never writes to it.
    plot.setData([drawing.times, ...layoutOf(drawing).columns] as uPlot.AlignedData, false)
    plot.setScale('x', { min: window.fromMs, max: window.toMs })
    plot.setScale('y', { min: axis.lowest, max: axis.highest })
  })
}

/** A series draws whichever line has its place now: other lines need no other chart. */
const lineSeries = (read: () => PlotState): Series => ({
  width: 1.4,
  stroke: (_plot, index) => strokeOf(read(), index),
  fill: ({ ctx }, index) => {
    const { lines, isStacked } = read().drawing
    const { colour, style = plainStyle } = lines[index - 1] ?? {}
    // The library fills nothing with nothing.
    if (colour === undefined || !style.isFilled) return ''
    return areaFill(ctx, colourOf(colour), style.pattern, isStacked ? stackFill : lineFill)
  },
  // Stacked lines stand on the one before.
  paths: (plot, index) => {
    const { drawing } = read()
    const { columns } = layoutOf(drawing)
    return linePaths(plot, {
      times: drawing.times,
      upper: columns[index - 1] ?? [],
      lower: drawing.isStacked ? columns[index - 2] : undefined,
    })
  },
  points: { show: false },
})

/** The colour of the line of a series. */
export function strokeOf({ drawing }: PlotState, series: number): string {
  const line = drawing.lines[series - 1]
  return line === undefined ? 'transparent' : colourOf(line.colour)
}

/** How far the values reached, below their lines. */
export function drawBands(plot: uPlot, drawing: ChartDrawing): void {
  const { ctx, bbox } = plot
  ctx.save()
  ctx.beginPath()
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height)
  ctx.clip()
  for (const { line, upper, lower } of layoutOf(drawing).bands) {
    ctx.fillStyle = faint(colourOf(line.colour), BAND_FILL_PERCENT)
    ctx.fill(linePaths(plot, { times: drawing.times, upper, lower }).fill)
  }
  ctx.restore()
}

type Placed = Pick<uPlot, 'bbox' | 'scales'>

/** Pixels are `start + perUnit × value`, for times and for values. */
type Placing = { readonly x: { readonly start: number; readonly perUnit: number }; readonly y: Placing['x'] }

/** Where a plot's times and values lie on its canvas, in the canvas's pixels. */
function placingIn({ bbox: { left, top, width, height }, scales: { x, y } }: Placed): Placing {
  const [from, to, lowest, highest] = [x?.min ?? 0, x?.max ?? 1, y?.min ?? 0, y?.max ?? 1]
  const [perMs, perValue] = [width / (to - from), height / (lowest - highest)]
  return { x: { start: left - from * perMs, perUnit: perMs }, y: { start: top - highest * perValue, perUnit: perValue } }
}

type Traced = {
  /** As many as there are values, ascending. */
  readonly times: readonly number[]
  readonly upper: Column
  /** With it, a run goes on where both are known. */
  readonly lower?: Column | undefined
}

/**
 * A line and the area below it, which ends at `lower` or at zero, as the library takes them. Its own areas are cut out of larger ones, and
 * its lines go through every value: of a day in minutes that costs several times as much.
 */
function linePaths(plot: Placed, traced: Traced) {
  const placing = placingIn(plot)
  const [stroke, fill] = [new Path2D(), new Path2D()]
  for (const run of runsOf(traced, placing)) {
    if (traced.times.length === 1) addOnlyPoint(stroke, run.line, plot.bbox)
    else if (run.line.length === 2) addPoint(stroke, run.line, POINT_RADIUS_PIXELS)
    else follow(stroke, run.line)
    addArea(fill, run, placing.y.start)
  }
  return { stroke, fill, ...(traced.times.length > plot.bbox.width ? THIN : {}) }
}

function follow(path: Path2D, points: readonly number[]): void {
  path.moveTo(points[0] ?? 0, points[1] ?? 0)
  for (let index = 2; index < points.length; index += 2) path.lineTo(points[index] ?? 0, points[index + 1] ?? 0)
}

/** A value between two gaps is no line: it is drawn as a point. */
function addPoint(path: Path2D, [x = 0, y = 0]: readonly number[], radius: number): void {
  path.moveTo(x + radius, y)
  path.arc(x, y, radius, 0, 2 * Math.PI)
}

function addOnlyPoint(path: Path2D, point: readonly number[], box: uPlot.BBox): void {
  const radii = ONLY_POINT_RADII.map((radius) => radius * devicePixelRatio)
  for (const radius of radii) addPoint(path, dotWithin(box, point, 1.5 * Math.max(...radii)), radius)
}

/** A point, moved by no more than `radius`, so that a dot around it is not cut by an edge of the plot. */
export const dotWithin = (
  { left, top, width, height }: uPlot.BBox,
  [x = 0, y = 0]: readonly number[],
  radius: number,
): readonly number[] => [
  Math.min(Math.max(x, left + radius), left + width - radius),
  Math.min(Math.max(y, top + radius), top + height - radius),
]

function addArea(path: Path2D, { top, bottom }: Run, zeroY: number): void {
  follow(path, top)
  for (let index = bottom.length - 2; index >= 0; index -= 2) path.lineTo(bottom[index] ?? 0, bottom[index + 1] ?? 0)
  if (bottom.length === 0) {
    path.lineTo(top.at(-2) ?? 0, zeroY)
    path.lineTo(top[0] ?? 0, zeroY)
  }
  path.closePath()
}

/**
 * Values between two gaps as they are drawn, x and y by turns in pixels: their line, and the edges of the area below it. The lower
 * edge is empty where the area ends at zero.
 */
type Run = { readonly line: readonly number[]; readonly top: readonly number[]; readonly bottom: readonly number[] }

/** The runs of a column of values. */
export const runsOf = ({ times, upper, lower }: Traced, placing: Placing): readonly Run[] =>
  knownRuns(upper, lower).map((run) => {
    const { line, highest } = edgesOf(upper, times, run, placing)
    return { line, top: highest, bottom: lower === undefined ? [] : edgesOf(lower, times, run, placing).lowest }
  })

/**
 * Draws the lowest and the highest of the values on one column of pixels: the others lie between them. A plain loop: a page of charts has
 * a hundred thousand values when it is opened.
 */
function edgesOf(values: Column, times: readonly number[], { from, to }: KnownRun, { x, y }: Placing) {
  const [line, highest, lowest]: [number[], number[], number[]] = [[], [], []]
  let column = Number.NaN
  // Pixels count downwards.
  let top = 0
  let bottom = 0
  let isTopLast = false
  for (let index = from; index <= to; index++) {
    const at = index === to ? Number.NaN : Math.round(x.start + x.perUnit * (times[index] ?? 0))
    const level = y.start + y.perUnit * (values[index] ?? 0)
    if (at === column) {
      if (level < top) {
        top = level
        isTopLast = true
      } else if (level > bottom) {
        bottom = level
        isTopLast = false
      }
      continue
    }
    if (index > from) {
      line.push(column, isTopLast ? bottom : top)
      if (top !== bottom) line.push(column, isTopLast ? top : bottom)
      highest.push(column, top)
      lowest.push(column, bottom)
    }
    column = at
    top = level
    bottom = level
  }
  return { line, highest, lowest } as const
}
