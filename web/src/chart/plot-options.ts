import type uPlot from 'uplot'
import type { Options, Series } from 'uplot'
import type { Formats } from '../format/formats.ts'
import { formatTime, isOtherYear, isRepeated, type SpanDetail } from '../format/time.ts'
import { fittingLabels } from './axis-labels.ts'
import { formatStep, type Axis } from './axis.ts'
import { areaFill } from './area-fill.ts'
import { colourOf, faint } from './chart-colours.ts'
import type { ChartDrawing, ChartWindow } from './chart-drawing.ts'
import { layoutOf } from './drawing-layout.ts'
import { followGrab } from './grab.ts'
import { plainStyle } from './patterns.ts'
import { areaPath, linePaths } from './plot-paths.ts'
import { textWidth } from './text-width.ts'
import { timeSteps } from './time-steps.ts'

/** Values that the options read at each drawing, so that new data needs no new uPlot instance. */
export type PlotState = {
  readonly drawing: ChartDrawing
  readonly axis: Axis
  readonly window: ChartWindow
  readonly detail: SpanDetail
  readonly formats: Formats
}

export type PlotEvents = {
  /** The drawing is empty: what stands below the lines is drawn first. */
  readonly onClear: (plot: uPlot) => void
  readonly onMove: (index: number | undefined) => void
  readonly onSelect: (fromMs: number, toMs: number) => void
  readonly onReset: () => void
  /** The drawing is pulled sideways with Shift: it is to show what lies `byMs` later. */
  readonly onPan: (byMs: number, isOver: boolean) => void
}

/** As long as the height of its place is not known: that of most charts, which `--plot-height` sets. */
const PLOT_HEIGHT = 168
/** One width for the axes of all charts, so that the plots of a column line up; wider only where a label would be cut. */
const AXIS_WIDTH = 64
const AXIS_GAP = 8
/** For half of a time's label that stands at the end. */
const END_PADDING = 28
const AXIS_FONT = '11px ui-sans-serif, system-ui, sans-serif'
const TIME_LABEL_SPACE: Readonly<Record<SpanDetail, number>> = { time: 70, dayAndTime: 120, day: 70 }
/** The additional width of a year in a label. */
const YEAR_SPACE = 35
/** Clocks are set back by no less. */
const LEAST_CHANGE_MS = 1_800_000
/** With the name of their zone they are wider. */
const ZONED_LABEL_SPACE = 110
const LEAST_DRAG_PIXELS = 6
const stackFill = { area: 45, hatch: 55 }
const lineFill = { area: 13, hatch: 40 }
const BAND_FILL_PERCENT = 22

export function plotOptions(width: number, read: () => PlotState, events: PlotEvents): Options {
  let isPointedAt = false
  return {
    width,
    height: PLOT_HEIGHT,
    ms: 1,
    padding: [8, END_PADDING, 0, 0],
    legend: { show: false },
    series: [{}],
    scales: {
      x: { time: true, auto: false, range: () => [read().window.fromMs, read().window.toMs] },
      y: { auto: false, range: () => [read().axis.lowest, read().axis.highest] },
    },
    axes: [timeAxis(read), valueAxis(read)],
    cursor: {
      drag: { x: true, y: false, setScale: false, dist: LEAST_DRAG_PIXELS },
      points: { size: 6, width: 0, fill: (_plot, index) => strokeOf(read(), index) },
      bind: {
        mousedown: (plot, _target, select) => (event) => {
          if (!event.shiftKey) return select(event)
          // Not as a selection of the page's text.
          event.preventDefault()
          followGrab(event, (pixels, isOver) => events.onPan(plot.posToVal(0, 'x') - plot.posToVal(pixels, 'x'), isOver))
          return null
        },
        dblclick: () => () => {
          events.onReset()
          return null
        },
      },
    },
    hooks: {
      drawClear: [events.onClear],
      drawAxes: [(plot) => drawBands(plot, read().drawing)],
      setCursor: [
        ({ cursor, over }) => {
          // A chart that is just made or given new values says so too, and must not move the crosshair: a touched element stays hovered.
          const isBelowMouse = (cursor.event ?? null) !== null && over.matches(':hover')
          const index = !isBelowMouse || (cursor.left ?? -1) < 0 ? undefined : (cursor.idx ?? undefined)
          if (index !== undefined || isPointedAt) events.onMove(index)
          isPointedAt = index !== undefined
        },
      ],
      setSelect: [
        (plot) => {
          const { left, width: selected } = plot.select
          if (selected < LEAST_DRAG_PIXELS) return
          events.onSelect(plot.posToVal(left, 'x'), plot.posToVal(left + selected, 'x'))
          plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false)
        },
      ],
    },
  }
}

/** How far the values reached, below their lines. */
function drawBands(plot: uPlot, drawing: ChartDrawing): void {
  const { ctx, bbox } = plot
  ctx.save()
  ctx.beginPath()
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height)
  ctx.clip()
  for (const { line, upper, lower } of layoutOf(drawing).bands) {
    ctx.fillStyle = faint(colourOf(line.colour), BAND_FILL_PERCENT)
    ctx.fill(areaPath(plot, { times: drawing.times, upper, lower }))
  }
  ctx.restore()
}

/** The colour of the line of a series. */
function strokeOf({ drawing }: PlotState, series: number): string {
  const line = drawing.lines[series - 1]
  return line === undefined ? 'transparent' : colourOf(line.colour)
}

/** A series draws whichever line has its place now: other lines need no other chart. */
export const lineSeries = (read: () => PlotState): Series => ({
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

const timeAxis = (read: () => PlotState): NonNullable<Options['axes']>[number] => ({
  stroke: () => colourOf('--text-faint'),
  font: AXIS_FONT,
  size: 24,
  // The lowest value's label reaches below the plot.
  gap: 8,
  space: ({ width }) => labelSpace(read(), width),
  incrs: () => [...timeSteps[read().detail]],
  grid: { show: false },
  ticks: { show: false },
  values: (plot, times) => {
    const labels = times.map((time) => {
      const text = timeLabel(time, read())
      return { text, x: plot.valToPos(time, 'x'), width: textWidth(text, AXIS_FONT) }
    })
    return [...fittingLabels(labels, plot.valToPos(read().window.toMs, 'x') + END_PADDING)]
  },
})

/** Times of one day and the next are told apart by the day, which stands in place of midnight. */
const timeLabel = (at: number, { detail, formats }: PlotState): string =>
  formatTime(at, detail === 'time' && formatTime(at, 'day', formats) !== formatTime(at - 1, 'day', formats) ? 'day' : detail, formats)

/** How far apart the times of a window stand at least, in pixels of its `width`: more where some have their year or their zone's name. */
function labelSpace({ window: { fromMs, toMs }, detail, formats }: PlotState, width: number): number {
  const hasYear = isOtherYear(fromMs, formats) || isOtherYear(toMs, formats)
  const space = TIME_LABEL_SPACE[detail] + (hasYear ? YEAR_SPACE : 0)
  if (((toMs - fromMs) / width) * space > LEAST_CHANGE_MS) return space
  const count = Math.floor((toMs - fromMs) / LEAST_CHANGE_MS) + 1
  return Array.from({ length: count }, (_, index) => fromMs + index * LEAST_CHANGE_MS).some((at) => isRepeated(at, formats))
    ? Math.max(space, ZONED_LABEL_SPACE)
    : space
}

const valueAxis = (read: () => PlotState): NonNullable<Options['axes']>[number] => ({
  stroke: () => colourOf('--text-faint'),
  font: AXIS_FONT,
  // uPlot asks once without labels.
  size: (_plot, labels: readonly string[] | null) =>
    Math.max(AXIS_WIDTH, AXIS_GAP + Math.ceil(Math.max(0, ...(labels ?? []).map((label) => textWidth(label, AXIS_FONT))))),
  gap: AXIS_GAP,
  grid: { stroke: () => colourOf('--grid'), width: 1 },
  ticks: { show: false },
  splits: () => [...read().axis.steps],
  values: (_plot, steps) => steps.map((step) => formatStep(step, read().axis, read().formats, read().drawing.startsAtZero)),
})
