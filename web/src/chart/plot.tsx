import { useEffect, useLayoutEffect, useRef } from 'react'
import type uPlot from 'uplot'
import { onThemeChange } from '../preferences/theme.ts'
import type { ChartMark } from './chart-marks.ts'
import { nearestIndex } from './crosshair.ts'
import { queueDrawing } from './drawing-queue.ts'
import { showIn } from './plot-lines.ts'
import type { PlotReading } from './plot-reading.ts'
import { createPlot } from './standing-plot.ts'
import { useSeen } from './use-seen.ts'

/**
 * Crosshair position in one chart: `index` of the time that it points at, and `left`, its place as a fraction (0 to 1) of the chart's
 * width.
 */
export type CrosshairPosition = { readonly index: number; readonly left: number }

type PlotProps = PlotReading & {
  marks: readonly ChartMark[]
  onPoint: (pointed: CrosshairPosition | undefined) => void
}

/**
 * React component: canvas of one chart (uPlot instance), created when the chart first comes near the viewport and updated in place
 * afterwards. `onPoint` is called with the crosshair's position, or `undefined` without one.
 */
export function Plot(props: PlotProps) {
  const { state, marks, crosshair } = props
  const container = useRef<HTMLDivElement>(null)
  const plot = useRef<uPlot>(undefined)
  const latest = useRef(props)
  const shownMarks = useRef(marks)
  const isSeen = useSeen(container)
  const width = useRef(0)
  // All charts measure their width before the first is created, because each creation would force another layout.
  useLayoutEffect(() => void (width.current = container.current?.clientWidth ?? 0), [isSeen])
  useEffect(() => {
    latest.current = props
  })

  useEffect(() => {
    const element = container.current
    if (element === null || !isSeen) return
    const created = createPlot(
      width.current,
      () => latest.current,
      () => shownMarks.current,
    )
    plot.current = created
    const resizes = new ResizeObserver(() => {
      const { clientWidth: width, clientHeight: height } = element
      // The observer also reports the initial size, at which most charts are already drawn.
      if (width !== created.width || height !== created.height) created.setSize({ width, height })
    })
    resizes.observe(element)
    const unfollowTheme = onThemeChange(() => created.redraw(false))
    return () => {
      unfollowTheme()
      resizes.disconnect()
      created.destroy()
      plot.current = undefined
    }
  }, [isSeen])

  const { drawing, axis, window, formats } = state
  useEffect(() => {
    const { current } = plot
    if (current === undefined) return
    return queueDrawing(() => {
      showIn(current, () => latest.current.state)
      // Attached after drawing: text on an attached canvas forces a style recalculation of the page for each measurement.
      if (current.root.parentElement !== container.current) container.current?.append(current.root)
    })
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the plot is made with isSeen, and what it draws is in these parts of the state
  }, [isSeen, drawing, axis, window.fromMs, window.toMs])

  // Labels are measured again, as their texts have other widths.
  useEffect(() => plot.current?.redraw(false, true), [formats])

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
    // The crosshair may have moved before this chart existed, or while it had other times.
    const takeBack = queueDrawing(() => show(crosshair.at()))
    const unfollow = crosshair.follow(show)
    return () => {
      takeBack()
      unfollow()
    }
  }, [isSeen, crosshair, drawing])

  return <div ref={container} className="absolute inset-0" />
}

/**
 * Shows the cursor of a chart (uPlot instance) at `times[index]`, and returns its position. Without an index, it hides the cursor and
 * returns `undefined`. It does not move the crosshair of other charts.
 */
function pointAt(plot: uPlot, times: readonly number[], index: number | undefined): CrosshairPosition | undefined {
  const at = index === undefined ? undefined : times[index]
  if (index === undefined || at === undefined) {
    plot.setCursor({ left: -10, top: -10 }, false)
    return undefined
  }
  const left = plot.valToPos(at, 'x')
  // In the chart under the pointer, uPlot has set the cursor already.
  if (plot.cursor.idx !== index) plot.setCursor({ left, top: 0 }, false)
  return { index, left: (plot.bbox.left / devicePixelRatio + left) / plot.width }
}
