import uPlot from 'uplot'
import { drawMarks, type ChartMark } from './chart-marks.ts'
import type { PlotReading } from './plot-reading.ts'
import { plotOptions } from './plot-options.ts'

let isAnyMade = false

/** Whether this page has made a plot. */
export const hasMadePlot = (): boolean => isAnyMade

/** A plot that stands nowhere and shows nothing yet; `width` in pixels. */
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

/** Most machines have no touch screen: there, the code for touches is loaded when a pen first comes above the plot. */
function followTouchesOf(plot: uPlot, read: () => PlotReading): void {
  let following: Promise<(() => void) | undefined> | undefined
  const follow = () => {
    following ??= import('./plot-touches.ts').then(
      ({ followPlotTouches }) => followPlotTouches(plot, read),
      // As with a mouse, then.
      () => undefined,
    )
  }
  if (navigator.maxTouchPoints > 0) follow()
  else plot.over.addEventListener('pointerenter', ({ pointerType }) => pointerType === 'pen' && follow())
  ;(plot.hooks.destroy ??= []).push(() => void following?.then((unfollow) => unfollow?.()))
}

const dateIn = (timeZone: string | undefined, at: Date): Date => (timeZone === undefined ? at : uPlot.tzDate(at, timeZone))

/** Between two times there is enough space for words at this part of what uPlot asks for. */
const SPACE_ENOUGH = 0.9

/**
 * uPlot leaves a time out that stands closer to the one before than 70 % of the space of a label. Where clocks are set forward,
 * 03:00 stands two hours after midnight: 67 % of a step of three hours.
 */
function keepTimesWhereClocksChange({ axes: [times] }: uPlot): void {
  const splits = times?.splits
  if (times === undefined || typeof splits !== 'function') return
  times.splits = (...[own, axis, from, to, step, space]: Parameters<typeof splits>) =>
    splits(own, axis, from, to, step, space / SPACE_ENOUGH)
}
