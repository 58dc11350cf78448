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
/**
 * Radius in canvas px, 1.2, of the dot that a chart draws for a value with gaps on both sides. The stroke around the dot about doubles the
 * visible size.
 */
const POINT_RADIUS_PIXELS = 1.2
/** Radii in CSS px, 0.7 and 2, of the two concentric rings that draw the dot of a chart with only one point. */
const ONLY_POINT_RADII = [0.7, 2]
/**
 * uPlot series option for a line with more values than the chart has pixels: a hairline, because thicker lines hide detail and draw ten
 * times slower.
 */
const THIN = { _width: 1 }

/**
 * Updates a chart (uPlot instance) in place and redraws it at once. Lines, data, vertical axis and time window come from the state that
 * `read` returns.
 */
export function showIn(plot: uPlot, read: () => PlotState): void {
  const { drawing, window, axis } = read()
  plot.batch(() => {
    // uPlot's first series are the times.
    while (plot.series.length - 1 < drawing.lines.length) plot.addSeries(lineSeries(read))
    while (plot.series.length - 1 > drawing.lines.length) plot.delSeries(plot.series.length - 1)
    drawing.lines.forEach(({ style: { pattern, isFilled } = plainStyle }, index) => {
      const series = plot.series[index + 1]
      if (series !== undefined) series.dash = isFilled ? [] : dashOf(pattern).map((length) => length * devicePixelRatio)
    })
    // uPlot reads its data and never writes to it.
    plot.setData([drawing.times, ...layoutOf(drawing).columns] as uPlot.AlignedData, false)
    plot.setScale('x', { min: window.fromMs, max: window.toMs })
    plot.setScale('y', { min: axis.lowest, max: axis.highest })
  })
}

/**
 * Returns the uPlot series options that all lines of a chart share. Their functions look up the line (colour, fill, values) at each drawing
 * by the series' number, so that changed lines need no new plot.
 */
const lineSeries = (read: () => PlotState): Series => ({
  width: 1.4,
  stroke: (_plot, index) => strokeOf(read(), index),
  fill: ({ ctx }, index) => {
    const { lines, isStacked } = read().drawing
    const { colour, style = plainStyle } = lines[index - 1] ?? {}
    // For uPlot, an empty string is no fill.
    if (colour === undefined || !style.isFilled) return ''
    return areaFill(ctx, colourOf(colour), style.pattern, isStacked ? stackFill : lineFill)
  },
  // A stacked line's area ends at the line before it.
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

/**
 * Returns the CSS colour of the chart line with this uPlot series number (1 is the first line); `transparent` when there is no such line.
 */
export function strokeOf({ drawing }: PlotState, series: number): string {
  const line = drawing.lines[series - 1]
  return line === undefined ? 'transparent' : colourOf(line.colour)
}

/** Draws the bands between minimum and maximum of a chart's lines on a uPlot canvas, under the lines. */
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

/** Linear mapping from a chart's times (`x`, epoch ms) and values (`y`) to canvas pixels: pixel = `start + perUnit × value`. */
type Placing = { readonly x: { readonly start: number; readonly perUnit: number }; readonly y: Placing['x'] }

/**
 * Returns start and factor of the linear mapping from a plot's times (epoch ms) and values to canvas pixels, for x and y. A pixel is `start
 * + perUnit * value`.
 */
function placingIn({ bbox: { left, top, width, height }, scales: { x, y } }: Placed): Placing {
  const [from, to, lowest, highest] = [x?.min ?? 0, x?.max ?? 1, y?.min ?? 0, y?.max ?? 1]
  const [perMs, perValue] = [width / (to - from), height / (lowest - highest)]
  return { x: { start: left - from * perMs, perUnit: perMs }, y: { start: top - highest * perValue, perUnit: perValue } }
}

type Traced = {
  /** List of the times of a chart line's points in epoch ms, ascending, one for each value. */
  readonly times: readonly number[]
  readonly upper: Column
  /**
   * Values along the lower edge of the coloured area under a chart line; absent = the area ends at zero. Where a value of the upper or
   * lower edge is missing, no area is drawn.
   */
  readonly lower?: Column | undefined
}

/**
 * Returns the canvas paths of a chart line in the form of uPlot: `stroke`, and `fill` for the area down to `lower` or zero. The values are
 * reduced to minimum and maximum of each pixel column, which is several times faster than uPlot's own way.
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

/**
 * Adds a dot with this radius, in canvas px, to the canvas path of a chart line. It shows a single value with gaps on both sides, for which
 * a line would be invisible.
 */
function addPoint(path: Path2D, [x = 0, y = 0]: readonly number[], radius: number): void {
  path.moveTo(x + radius, y)
  path.arc(x, y, radius, 0, 2 * Math.PI)
}

function addOnlyPoint(path: Path2D, point: readonly number[], box: uPlot.BBox): void {
  const radii = ONLY_POINT_RADII.map((radius) => radius * devicePixelRatio)
  for (const radius of radii) addPoint(path, dotWithin(box, point, 1.5 * Math.max(...radii)), radius)
}

/** Returns a point `[x, y]`, moved so that a dot with this `radius` around it is not clipped at the chart's edges. All in canvas px. */
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
 * Canvas positions of one run of values without a gap. `line`, and the edges `top` and `bottom` of its area, are flat lists: x, y, x, y, …
 * in px. `bottom` is empty when the area ends at zero.
 */
type Run = { readonly line: readonly number[]; readonly top: readonly number[]; readonly bottom: readonly number[] }

/**
 * Returns the canvas positions of each run of values without a gap, as flat lists `[x, y, x, y, …]` in canvas px. They are those of the
 * line, and of both edges of its area.
 */
export const runsOf = ({ times, upper, lower }: Traced, placing: Placing): readonly Run[] =>
  knownRuns(upper, lower).map((run) => {
    const { line, highest } = edgesOf(upper, times, run, placing)
    return { line, top: highest, bottom: lower === undefined ? [] : edgesOf(lower, times, run, placing).lowest }
  })

/**
 * Reduces the run `from` to `to` of values to the minimum and maximum of each pixel column. Returns the line, the highest and the lowest
 * positions, as flat lists `[x, y, …]` in canvas px. A plain loop is fast enough for 100,000 values.
 */
function edgesOf(values: Column, times: readonly number[], { from, to }: KnownRun, { x, y }: Placing) {
  const [line, highest, lowest]: [number[], number[], number[]] = [[], [], []]
  let column = Number.NaN
  // Canvas pixels count downwards.
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
