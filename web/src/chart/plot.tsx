import { useEffect, useRef } from 'react'
import uPlot from 'uplot'
import { choices } from '../format/choices.ts'
import type { Column } from '../format/column.ts'
import { onThemeChange } from '../preferences/theme.ts'
import { forgetColours } from './chart-colours.ts'
import { drawMarks, type ChartMark } from './chart-marks.ts'
import type { ChartWindow } from './chart-drawing.ts'
import { nearestIndex, type Crosshair } from './crosshair.ts'
import { PLOT_HEIGHT, plotOptions, type PlotState } from './plot-options.ts'

/** Where the crosshair stands: the index of its time, and the share of the chart's width 0–1. */
export type Pointed = { readonly index: number; readonly left: number }

type PlotProps = {
  state: PlotState
  marks: readonly ChartMark[]
  columns: readonly Column[]
  crosshair: Crosshair
  onPoint: (pointed: Pointed | undefined) => void
  onZoom: (window: ChartWindow) => void
  onZoomOut: () => void
}

/** The drawing itself: the only place that knows the chart library. New values are set into the chart that stands. */
export function Plot(props: PlotProps) {
  const { state, marks, columns, crosshair } = props
  const container = useRef<HTMLDivElement>(null)
  const plot = useRef<uPlot>(undefined)
  const latest = useRef(props)
  const shownMarks = useRef(marks)
  useEffect(() => {
    latest.current = props
  })

  useEffect(() => {
    const element = container.current
    if (element === null) return
    const created = createPlot(
      element,
      () => latest.current,
      () => shownMarks.current,
    )
    plot.current = created
    const resizes = new ResizeObserver(() => {
      const { clientWidth: width } = element
      // It tells of the first size too, in which everything is drawn already.
      if (width !== created.width) created.setSize({ width, height: PLOT_HEIGHT })
    })
    resizes.observe(element)
    const unfollowTheme = onThemeChange(() => {
      forgetColours()
      created.redraw(false)
    })
    return () => {
      unfollowTheme()
      resizes.disconnect()
      created.destroy()
      plot.current = undefined
    }
  }, [])

  const { drawing, axis, window } = state
  useEffect(() => {
    const { current } = plot
    current?.batch(() => {
      current.setData([[...drawing.times], ...columns.map((column) => [...column])], false)
      current.setScale('x', { min: window.fromMs, max: window.toMs })
      current.setScale('y', { min: axis.lowest, max: axis.highest })
    })
  }, [drawing, columns, axis, window.fromMs, window.toMs])

  useEffect(() => {
    if (shownMarks.current === marks) return
    shownMarks.current = marks
    plot.current?.redraw(false)
  }, [marks])

  useEffect(() => {
    const show = (at: number | undefined) => {
      const index = at === undefined ? undefined : nearestIndex(drawing.times, at)
      if (plot.current !== undefined) latest.current.onPoint(pointAt(plot.current, drawing.times, index))
    }
    // What was said while this chart was not there, or had other times, counts as well.
    show(crosshair.at())
    return crosshair.follow(show)
  }, [crosshair, drawing])

  return <div ref={container} className="absolute inset-0" />
}

function createPlot(element: HTMLElement, read: () => PlotProps, readMarks: () => readonly ChartMark[]): uPlot {
  const { drawing } = read().state
  const { timeZone } = choices()
  const options = plotOptions(element.clientWidth, drawing.lines, () => read().state, {
    onClear: (plot) => drawMarks(plot, readMarks()),
    onMove: (index) => read().crosshair.move(index === undefined ? undefined : read().state.drawing.times[index]),
    onSelect: (from, to) => {
      // What it pointed at is not in the window that comes.
      read().crosshair.move(undefined)
      read().onZoom({ fromMs: Math.round(from), toMs: Math.round(to) })
    },
    onReset: () => {
      read().crosshair.move(undefined)
      read().onZoomOut()
    },
  })
  return new uPlot(
    { ...options, tzDate: (at) => (timeZone === undefined ? new Date(at) : uPlot.tzDate(new Date(at), timeZone)) },
    undefined,
    element,
  )
}

/** Shows the crosshair at a time, without telling anyone: it is what the page's crosshair has said. */
function pointAt(plot: uPlot, times: readonly number[], index: number | undefined): Pointed | undefined {
  const at = index === undefined ? undefined : times[index]
  if (index === undefined || at === undefined) {
    plot.setCursor({ left: -10, top: -10 }, false)
    return undefined
  }
  const left = plot.valToPos(at, 'x')
  // The chart that said it keeps the crosshair under the pointer.
  if (plot.cursor.idx !== index) plot.setCursor({ left, top: 0 }, false)
  return { index, left: (plot.bbox.left / devicePixelRatio + left) / plot.width }
}
