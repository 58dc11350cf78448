import type uPlot from 'uplot'
import type { AlignedData, Band, Options, Series } from 'uplot'
import { formatTime, type TimeDetail } from '../format/time.ts'
import { formatOnAxis, type Axis } from './axis.ts'
import { bandsOf, type ChartBand } from './bands.ts'
import { colourOf, faint } from './chart-colours.ts'
import type { ChartDrawing, ChartLine, ChartWindow } from './chart-drawing.ts'
import { timeSteps } from './time-steps.ts'

/** What the options read each time something is drawn, so that new data needs no new chart. */
export type PlotState = {
  readonly drawing: ChartDrawing
  readonly axis: Axis
  readonly window: ChartWindow
  readonly detail: TimeDetail
}

export type PlotEvents = {
  /** The drawing is empty: what stands below the lines is drawn first. */
  readonly onClear: (plot: uPlot) => void
  readonly onMove: (index: number | undefined) => void
  readonly onSelect: (fromMs: number, toMs: number) => void
  readonly onReset: () => void
}

export const PLOT_HEIGHT = 168
/** One width for the axes of all charts, so that the plots of a column line up. */
const AXIS_WIDTH = 64
const AXIS_FONT = '11px ui-sans-serif, system-ui, sans-serif'
const TIME_LABEL_SPACE: Readonly<Record<TimeDetail, number>> = { time: 70, dayAndTime: 120, day: 70 }
const LEAST_DRAG_PIXELS = 6
const STACK_FILL_PERCENT = 45
const AREA_FILL_PERCENT = 13
const BAND_FILL_PERCENT = 22

/** The edges of the bands are the first series, so that their lines are drawn over them: {@link bandsOf}, then the lines. */
export function plotOptions(width: number, lines: readonly ChartLine[], read: () => PlotState, events: PlotEvents): Options {
  const { drawing } = read()
  const { isStacked, startsAtZero } = drawing
  const bands = bandsOf(drawing)
  let isPointedAt = false
  return {
    width,
    height: PLOT_HEIGHT,
    ms: 1,
    // Room for the last time's label, half of which stands beyond the end.
    padding: [8, 18, 0, 0],
    legend: { show: false },
    series: [{}, ...bands.flatMap(() => [bandEdge, bandEdge]), ...lines.map((line) => seriesOf(line, isStacked, startsAtZero))],
    bands: isStacked ? lines.slice(1).map((_, index): Band => ({ series: [index + 2, index + 1] })) : bands.map(bandAt),
    scales: {
      x: { time: true, auto: false, range: () => [read().window.fromMs, read().window.toMs] },
      y: { auto: false, range: () => [read().axis.lowest, read().axis.highest] },
    },
    axes: [timeAxis(read), valueAxis(read)],
    cursor: {
      drag: { x: true, y: false, setScale: false, dist: LEAST_DRAG_PIXELS },
      points: { size: 6, width: 0, fill: (plot, index) => strokeOf(plot.series[index]?.label, lines) },
      bind: {
        dblclick: () => () => {
          events.onReset()
          return null
        },
      },
    },
    hooks: {
      drawClear: [events.onClear],
      setCursor: [
        ({ cursor, over }) => {
          const index = cursor.idx === null || (cursor.left ?? -1) < 0 ? undefined : (cursor.idx ?? undefined)
          // A chart that is just made or given new values says so too, and must not take the crosshair from another.
          if (index !== undefined || isPointedAt) events.onMove(index)
          isPointedAt = index !== undefined && over.matches(':hover')
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

const bandEdge: Series = { label: '', width: 0, points: { show: false } }

const bandAt = ({ line }: ChartBand, index: number): Band => ({
  series: [2 * index + 1, 2 * index + 2],
  fill: () => faint(colourOf(line.colour), BAND_FILL_PERCENT),
})

/** The colour of a line; the edges of a band have none. */
function strokeOf(label: unknown, lines: readonly ChartLine[]): string {
  const line = lines.find(({ key }) => key === label)
  return line === undefined ? 'transparent' : colourOf(line.colour)
}

function seriesOf(line: ChartLine, isStacked: boolean, startsAtZero: boolean): Series {
  const fillPercent = isStacked ? STACK_FILL_PERCENT : AREA_FILL_PERCENT
  return {
    label: line.key,
    width: 1.4,
    stroke: () => colourOf(line.colour),
    ...(startsAtZero ? { fill: () => faint(colourOf(line.colour), fillPercent), fillTo: 0 } : {}),
    // A value between two gaps is no line: it is drawn as a point.
    points: { show: true, size: 4, width: 0, fill: () => colourOf(line.colour), filter: (plot, index) => lonelyIndexes(plot.data[index]) },
  }
}

function lonelyIndexes(column: AlignedData[number] | undefined): number[] {
  if (column === undefined) return []
  const lonely: number[] = []
  for (let index = 0; index < column.length; index++) {
    if (isValue(column[index]) && !isValue(column[index - 1]) && !isValue(column[index + 1])) lonely.push(index)
  }
  return lonely
}

const isValue = (value: number | null | undefined): boolean => value !== null && value !== undefined

const timeAxis = (read: () => PlotState): NonNullable<Options['axes']>[number] => ({
  stroke: () => colourOf('--text-faint'),
  font: AXIS_FONT,
  size: 24,
  gap: 4,
  space: () => TIME_LABEL_SPACE[read().detail],
  incrs: () => [...timeSteps[read().detail]],
  grid: { show: false },
  ticks: { show: false },
  values: (_plot, times) => times.map((time) => formatTime(time, read().detail)),
})

const valueAxis = (read: () => PlotState): NonNullable<Options['axes']>[number] => ({
  stroke: () => colourOf('--text-faint'),
  font: AXIS_FONT,
  size: AXIS_WIDTH,
  gap: 8,
  grid: { stroke: () => colourOf('--grid'), width: 1 },
  ticks: { show: false },
  splits: () => [...read().axis.steps],
  values: (_plot, steps) => steps.map((step) => formatOnAxis(step, read().axis, read().drawing.startsAtZero)),
})
