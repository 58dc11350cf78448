import uPlot from 'uplot'
import { drawMarks, type ChartMark } from './chart-marks.ts'
import type { PlotReading } from './plot-reading.ts'
import { plotOptions } from './plot-options.ts'

let isAnyMade = false

/** Returns true when any uPlot instance was created on this page since it was loaded. */
export const hasMadePlot = (): boolean => isAnyMade

/**
 * Creates the uPlot instance of a chart, without data and outside the document. `width` is in px; `read` and `readMarks` return the current
 * state and event marks at each drawing.
 */
export function createPlot(width: number, read: () => PlotReading, readMarks: () => readonly ChartMark[]): uPlot {
  isAnyMade = true
  const options = plotOptions(width, read, (plot) => drawMarks(plot, readMarks()))
  const plot = new uPlot(
    { ...options, tzDate: (at) => dateIn(read().state.formats.timeZone, new Date(at)) },
    undefined,
    document.createElement('div'),
  )
  keepTimesWhereClocksChange(plot)
  followTouchesOf(plot, read)
  return plot
}

/**
 * Makes a chart (uPlot instance) respond to touch and pen gestures: crosshair, pin, pinch. The code is loaded at once on a touch screen,
 * otherwise when a pen first hovers over the chart.
 */
function followTouchesOf(plot: uPlot, read: () => PlotReading): void {
  let following: Promise<(() => void) | undefined> | undefined
  const follow = () => {
    following ??= import('./plot-touches.ts').then(
      ({ followPlotTouches }) => followPlotTouches(plot, read),
      // When the code cannot be loaded, only the mouse works.
      () => undefined,
    )
  }
  if (navigator.maxTouchPoints > 0) follow()
  else plot.over.addEventListener('pointerenter', ({ pointerType }) => pointerType === 'pen' && follow())
  ;(plot.hooks.destroy ??= []).push(() => void following?.then((unfollow) => unfollow?.()))
}

const dateIn = (timeZone: string | undefined, at: Date): Date => (timeZone === undefined ? at : uPlot.tzDate(at, timeZone))

/**
 * Factor, 0.9, of the spacing between labels of the time axis that uPlot requires. By itself, uPlot drops labels with less than 70 % of the
 * space that they need; with this factor, with less than 63 %.
 */
const SPACE_ENOUGH = 0.9

/**
 * Replaces the function by which a chart (uPlot instance) chooses its time labels by one that tolerates slightly closer labels. Otherwise
 * the label 03:00 is missing after clocks are set forward.
 */
function keepTimesWhereClocksChange({ axes: [times] }: uPlot): void {
  const splits = times?.splits
  if (times === undefined || typeof splits !== 'function') return
  times.splits = (...[own, axis, from, to, step, space]: Parameters<typeof splits>) =>
    splits(own, axis, from, to, step, space / SPACE_ENOUGH)
}
