import type uPlot from 'uplot'
import type { Options } from 'uplot'
import { formatTime, isOtherYear, isRepeated, type SpanDetail } from '../format/time.ts'
import { fittingLabels } from './axis-labels.ts'
import { formatStep } from './axis.ts'
import { colourOf } from './chart-colours.ts'
import { followDrag } from './follow-drag.ts'
import { drawBands, strokeOf } from './plot-lines.ts'
import type { PlotReading, PlotState } from './plot-reading.ts'
import { textWidth } from './text-width.ts'
import { timeSteps } from './time-steps.ts'

/**
 * Height in px, 168, of a chart until its container is measured. It is the usual value of the CSS property `--plot-height`, which gives
 * charts their height.
 */
const PLOT_HEIGHT = 168
/**
 * Minimum width in px, 64, of a chart's value axis. It is equal for all charts, so that charts below each other align; longer labels make
 * an axis wider.
 */
const AXIS_WIDTH = 64
const AXIS_GAP = 8
/** Padding in px, 28, at the right end of a chart, for half of the last time label. */
const END_PADDING = 28
const AXIS_FONT = '11px ui-sans-serif, system-ui, sans-serif'
const TIME_LABEL_SPACE: Readonly<Record<SpanDetail, number>> = { time: 70, dayAndTime: 120, day: 70 }
/** Additional width in px, 35, that uPlot must leave for a label of the time axis when the label contains a year. */
const YEAR_SPACE = 35
/**
 * Step in ms, 30 min, in which the shown time range is searched for an hour that occurs twice, because clocks are set back. Labels of such
 * hours need a time zone name. Clocks are set back by at least this much.
 */
const LEAST_CHANGE_MS = 1_800_000
/** Width in px, 110, that uPlot must leave for a label of the time axis when the label contains a time zone name. */
const ZONED_LABEL_SPACE = 110
const LEAST_DRAG_PIXELS = 6

/**
 * Returns the uPlot options of a chart: axes, cursor, zoom and pan. `width` is in px. `drawBelow` is called with the uPlot instance at each
 * drawing, after the canvas was cleared and before lines are drawn.
 */
export function plotOptions(width: number, read: () => PlotReading, drawBelow: (plot: uPlot) => void): Options {
  const state = () => read().state
  /**
   * Hides the crosshair in all charts that share it. Called before a zoom or pan, because the crosshair's time may lie outside the chart's
   * next window.
   */
  const leave = () => read().crosshair.move(undefined)
  let isPointedAt = false
  return {
    width,
    height: PLOT_HEIGHT,
    ms: 1,
    padding: [8, END_PADDING, 0, 0],
    legend: { show: false },
    series: [{}],
    scales: {
      x: { time: true, auto: false, range: () => [state().window.fromMs, state().window.toMs] },
      y: { auto: false, range: () => [state().axis.lowest, state().axis.highest] },
    },
    axes: [timeAxis(state), valueAxis(state)],
    cursor: {
      drag: { x: true, y: false, setScale: false, dist: LEAST_DRAG_PIXELS },
      points: { size: 6, width: 0, fill: (_plot, index) => strokeOf(state(), index) },
      bind: {
        mousedown: (plot, _target, select) => (event) => {
          if (!event.shiftKey) return select(event)
          // Prevents the selection of page text.
          event.preventDefault()
          followDrag(event, (pixels, isOver) => {
            leave()
            // Dragging to the left shows later times.
            read().onPan(plot.posToVal(0, 'x') - plot.posToVal(pixels, 'x'), isOver)
          })
          return null
        },
        dblclick: () => () => {
          leave()
          read().onZoomOut()
          return null
        },
      },
    },
    hooks: {
      drawClear: [drawBelow],
      drawAxes: [(plot) => drawBands(plot, state().drawing)],
      setCursor: [
        ({ cursor, over }) => {
          // uPlot also calls this when a chart is created or gets new data, and a touched element stays hovered. Neither may move the
          // crosshair.
          const isBelowMouse = (cursor.event ?? null) !== null && over.matches(':hover')
          const index = !isBelowMouse || (cursor.left ?? -1) < 0 ? undefined : (cursor.idx ?? undefined)
          if (index !== undefined || isPointedAt) read().crosshair.move(index === undefined ? undefined : state().drawing.times[index])
          isPointedAt = index !== undefined
        },
      ],
      setSelect: [
        (plot) => {
          const { left, width: selected } = plot.select
          if (selected < LEAST_DRAG_PIXELS) return
          const [from, to] = [plot.posToVal(left, 'x'), plot.posToVal(left + selected, 'x')]
          leave()
          read().onZoom({ fromMs: Math.round(from), toMs: Math.round(to) })
          plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false)
        },
      ],
    },
  }
}

const timeAxis = (read: () => PlotState): NonNullable<Options['axes']>[number] => ({
  stroke: () => colourOf('--text-faint'),
  font: AXIS_FONT,
  size: 24,
  // The label of the lowest value extends below the plot.
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

/**
 * Returns the text of a label of a chart's time axis at the time `at` (epoch ms). Where labels are times of day, a label at the start of a
 * day is the date instead.
 */
const timeLabel = (at: number, { detail, formats }: PlotState): string =>
  formatTime(at, detail === 'time' && formatTime(at, 'day', formats) !== formatTime(at - 1, 'day', formats) ? 'day' : detail, formats)

/**
 * Returns the distance in px that uPlot must keep between labels of the time axis. `width` is the axis's width in px. Labels with a year or
 * a zone name need more.
 */
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
  // uPlot calls this once without labels.
  size: (_plot, labels: readonly string[] | null) =>
    Math.max(AXIS_WIDTH, AXIS_GAP + Math.ceil(Math.max(0, ...(labels ?? []).map((label) => textWidth(label, AXIS_FONT))))),
  gap: AXIS_GAP,
  grid: { stroke: () => colourOf('--grid'), width: 1 },
  ticks: { show: false },
  splits: () => [...read().axis.steps],
  values: (_plot, steps) => steps.map((step) => formatStep(step, read().axis, read().formats, read().drawing.startsAtZero)),
})
