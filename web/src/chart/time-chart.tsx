import { useEffect, useMemo, useRef, useState, type KeyboardEvent } from 'react'
import uPlot from 'uplot'
import { detailOf } from '../format/time.ts'
import { useIsDark } from '../preferences/use-theme.ts'
import { axisFor } from './axis.ts'
import type { ChartDrawing, ChartWindow } from './chart-drawing.ts'
import { nearestIndex, type Crosshair } from './crosshair.ts'
import { extentOf, plotColumns } from './plot-columns.ts'
import { PLOT_HEIGHT, plotOptions, type PlotState } from './plot-options.ts'
import { Tooltip } from './tooltip.tsx'

export type TimeChartProps = {
  drawing: ChartDrawing
  window: ChartWindow
  crosshair: Crosshair
  /** What a screen reader says for the drawing. */
  summary: string
  /** How the sum of a stack is called in the tooltip. */
  totalLabel: string
  /** The index that the crosshair points at, for a legend to show its values. */
  onIndex: (index: number | undefined) => void
  onZoom: (window: ChartWindow) => void
  onZoomOut: () => void
}

/** Lines over time: the only place that knows the chart library. New data is set into the chart that stands. */
export function TimeChart({ drawing, window, crosshair, summary, totalLabel, onIndex, onZoom, onZoomOut }: TimeChartProps) {
  const container = useRef<HTMLDivElement>(null)
  const plot = useRef<uPlot>(undefined)
  const [index, setIndex] = useState<number>()
  const [isActive, setActive] = useState(false)
  const columns = useMemo(() => plotColumns(drawing), [drawing])
  const axis = useMemo(() => axisFor(drawing, extentOf(columns)), [drawing, columns])
  const state: PlotState = { drawing, axis, window, detail: detailOf(window.toMs - window.fromMs) }
  const shape = `${drawing.isStacked}|${drawing.startsAtZero}|${drawing.lines.map(({ key, colour }) => `${key}=${colour}`).join('|')}`
  const latest = useRef({ state, onIndex, onZoom, onZoomOut, crosshair })
  useEffect(() => {
    latest.current = { state, onIndex, onZoom, onZoomOut, crosshair }
  })

  useEffect(() => {
    const element = container.current
    if (element === null) return
    const { lines } = latest.current.state.drawing
    const options = plotOptions(element.clientWidth, lines, () => latest.current.state, {
      onMove: (moved) => {
        const { drawing: current } = latest.current.state
        setIndex(moved)
        latest.current.onIndex(moved)
        latest.current.crosshair.move(moved === undefined ? undefined : current.times[moved])
      },
      onSelect: (from, to) => latest.current.onZoom({ fromMs: Math.round(from), toMs: Math.round(to) }),
      onReset: () => latest.current.onZoomOut(),
    })
    const created = new uPlot(options, undefined, element)
    plot.current = created
    const resizes = new ResizeObserver(() => created.setSize({ width: element.clientWidth, height: PLOT_HEIGHT }))
    resizes.observe(element)
    return () => {
      resizes.disconnect()
      created.destroy()
      plot.current = undefined
    }
  }, [shape])

  // After the effect above, so that a new chart gets its data here too.
  useEffect(() => {
    const current = plot.current
    if (current === undefined) return
    current.setData([[...drawing.times], ...columns.map((column) => [...column])], false)
    current.setScale('x', { min: window.fromMs, max: window.toMs })
    current.setScale('y', { min: axis.lowest, max: axis.highest })
  }, [shape, drawing, columns, axis, window])

  const isDark = useIsDark()
  useEffect(() => plot.current?.redraw(false), [isDark])

  useEffect(
    () =>
      crosshair.follow((at) => {
        const followed = at === undefined ? undefined : nearestIndex(drawing.times, at)
        pointAt(plot.current, drawing.times, followed)
        setIndex(followed)
        latest.current.onIndex(followed)
      }),
    [crosshair, drawing],
  )

  const onKeyDown = (event: KeyboardEvent) => {
    const step = arrowSteps[event.key]
    if (step !== undefined) {
      event.preventDefault()
      const next = Math.min(drawing.times.length - 1, Math.max(0, (index ?? drawing.times.length) + step))
      crosshair.move(drawing.times[next])
    } else if (event.key === 'Escape') {
      crosshair.move(undefined)
      onZoomOut()
    }
  }

  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- a chart is read with the arrow keys; its role names it
    <div
      role="application"
      aria-label={summary}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- see above
      tabIndex={0}
      className="relative"
      style={{ height: PLOT_HEIGHT }}
      onKeyDown={onKeyDown}
      onFocus={() => setActive(true)}
      onBlur={() => setActive(false)}
      onPointerEnter={() => setActive(true)}
      onPointerLeave={() => {
        setActive(false)
        crosshair.move(undefined)
      }}
    >
      <div ref={container} className="absolute inset-0" />
      {isActive && index !== undefined && (
        <Tooltip drawing={drawing} axis={axis} index={index} left={leftOf(plot.current, drawing.times[index])} totalLabel={totalLabel} />
      )}
    </div>
  )
}

const arrowSteps: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1, PageUp: -10, PageDown: 10 }

/** Where a time stands in the chart, as a share of its width 0–1. */
function leftOf(plot: uPlot | undefined, at: number | undefined): number {
  if (plot === undefined || at === undefined) return 0
  return (plot.bbox.left / devicePixelRatio + plot.valToPos(at, 'x')) / plot.width
}

function pointAt(plot: uPlot | undefined, times: readonly number[], index: number | undefined): void {
  const at = index === undefined ? undefined : times[index]
  // Without hooks: this only shows what another chart has said.
  plot?.setCursor(at === undefined ? { left: -10, top: -10 } : { left: plot.valToPos(at, 'x'), top: 0 }, false)
}
