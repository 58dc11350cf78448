import { useEffect, useLayoutEffect, useRef } from 'react'
import type uPlot from 'uplot'
import { onThemeChange } from '../preferences/theme.ts'
import type { ChartMark } from './chart-marks.ts'
import { nearestIndex } from './crosshair.ts'
import { inTurn } from './drawing-turns.ts'
import { showIn } from './plot-lines.ts'
import type { PlotReading } from './plot-reading.ts'
import { createPlot } from './standing-plot.ts'
import { useSeen } from './use-seen.ts'

/** Where the crosshair stands: the index of its time, and the share of the chart's width 0–1. */
export type Pointed = { readonly index: number; readonly left: number }

type PlotProps = PlotReading & {
  marks: readonly ChartMark[]
  onPoint: (pointed: Pointed | undefined) => void
}

/** The drawing itself, made when it is first scrolled into view. New values are set into the chart that stands. */
export function Plot(props: PlotProps) {
  const { state, marks, crosshair } = props
  const container = useRef<HTMLDivElement>(null)
  const plot = useRef<uPlot>(undefined)
  const latest = useRef(props)
  const shownMarks = useRef(marks)
  const isSeen = useSeen(container)
  const width = useRef(0)
  // All charts of a page read their widths before the first is made: each one made would have the page laid out again.
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
      // It tells of the first size too, in which most charts are drawn already.
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
    return inTurn(() => {
      showIn(current, () => latest.current.state)
      // Once it is drawn: for each text on a canvas that stands in the page, the page's styles are worked out.
      if (current.root.parentElement !== container.current) container.current?.append(current.root)
    })
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the plot is made with isSeen, and what it draws is in these parts of the state
  }, [isSeen, drawing, axis, window.fromMs, window.toMs])

  // Labels are measured again: their texts have other widths.
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
    // The crosshair may have moved before this chart was there, or while it had other times.
    const takeBack = inTurn(() => show(crosshair.at()))
    const unfollow = crosshair.follow(show)
    return () => {
      takeBack()
      unfollow()
    }
  }, [isSeen, crosshair, drawing])

  return <div ref={container} className="absolute inset-0" />
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
