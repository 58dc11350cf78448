import { useState, type KeyboardEvent } from 'react'
import { ownValue } from '@vedette/protocol/own-value'
import { detailOf, formatTime } from '../format/time.ts'
import type { Formats } from '../format/formats.ts'
import { useFormats } from '../preferences/use-preferences.ts'
import { formatOnAxis } from './axis.ts'
import type { ChartDrawing, ChartWindow } from './chart-drawing.ts'
import { marksAt, type ChartMark } from './chart-marks.ts'
import type { Crosshair } from './crosshair.ts'
import { layoutOf } from './drawing-layout.ts'
import { Plot, type CrosshairPosition } from './plot.tsx'
import { spreadText, tooltipRows } from './tooltip-model.ts'
import { Tooltip } from './tooltip.tsx'
import { useMovedWindow } from './use-moved-window.ts'

export { warmUpCharts } from './warm-up.ts'

export type TimeChartProps = {
  drawing: ChartDrawing
  window: ChartWindow
  crosshair: Crosshair
  marks: readonly ChartMark[]
  /** Text alternative of the chart for screen readers: its latest, lowest and highest values and its events. */
  summary: string
  /** Translated label of the row, in a stacked chart's tooltip, that shows the sum of all lines, such as "Total". */
  totalLabel: string
  /**
   * Called with the index of the time under the crosshair, so that a legend outside the chart shows the values there; with `undefined` when
   * nothing is pointed at.
   */
  onIndex: (index: number | undefined) => void
  onZoom: (window: ChartWindow) => void
  onZoomOut: () => void
}

/**
 * React component: line chart over time, controlled by mouse, touch or arrow keys; for screen readers a slider over its times. `onZoom`
 * gets a selected, dragged or pinched time window; `onZoomOut` ends the zoom.
 */
export function TimeChart({ drawing, window, crosshair, marks, summary, totalLabel, onIndex, onZoom, onZoomOut }: TimeChartProps) {
  const formats = useFormats()
  const [pointed, setPointed] = useState<CrosshairPosition>()
  const [isActive, setActive] = useState(false)
  const { drawn, pan, onPan, onPinch } = useMovedWindow(window, onZoom)
  const [touched, setTouched] = useState<{ readonly at: number; readonly isPinned: boolean }>()
  const isTouched = touched !== undefined && touched.at === crosshair.at()
  const { axis } = layoutOf(drawing)
  const last = drawing.times.length - 1
  const index = pointed === undefined || pointed.index > last ? undefined : pointed.index

  const onKeyDown = (event: KeyboardEvent) => {
    const step = ownValue(arrowSteps, event.key)
    if (step !== undefined && event.shiftKey) {
      event.preventDefault()
      crosshair.move(undefined)
      pan((Math.sign(step) * (window.toMs - window.fromMs)) / KEY_PANS)
    } else if (step !== undefined) {
      event.preventDefault()
      crosshair.move(drawing.times[Math.min(last, Math.max(0, (index ?? last + 1) + step))])
    } else if (event.key === 'Escape') {
      crosshair.move(undefined)
      onZoomOut()
    }
  }
  const valueText = () => {
    if (index === undefined) return timeText(drawing, last, formats)
    const rows = tooltipRows(drawing.lines, index).map(({ line, value }) =>
      [`${line.label} ${formatOnAxis(value, axis, formats, false)}`, spreadText(line, index, axis, formats)]
        .filter((part) => part !== undefined)
        .join(', '),
    )
    return [timeText(drawing, index, formats), ...rows, ...marksAt(marks, drawing.times, index).map(({ label }) => label)].join(', ')
  }

  return (
    <div
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- an input cannot hold a drawing
      role="slider"
      aria-label={summary}
      aria-valuemin={0}
      aria-valuemax={Math.max(0, last)}
      aria-valuenow={index ?? Math.max(0, last)}
      aria-valuetext={valueText()}
      tabIndex={0}
      className="relative h-(--plot-height) select-none"
      onKeyDown={onKeyDown}
      onFocus={() => setActive(true)}
      onBlur={() => setActive(false)}
      onPointerEnter={({ pointerType }) => setActive(pointerType !== 'touch')}
      onPointerLeave={({ pointerType }) => {
        setActive(false)
        // A lifted finger or pen leaves the element, too.
        if (pointerType !== 'touch' && !isTouched) crosshair.move(undefined)
      }}
    >
      <Plot
        state={{ drawing, axis, window: drawn, detail: detailOf(drawn.toMs - drawn.fromMs), formats }}
        marks={marks}
        crosshair={crosshair}
        onPoint={(next) => {
          setPointed(next)
          onIndex(next?.index)
        }}
        onZoom={onZoom}
        onZoomOut={onZoomOut}
        onPan={onPan}
        onPinch={onPinch}
        isPinned={() => isTouched && touched.isPinned}
        onTouch={(at, isPinned) => setTouched(at === undefined ? undefined : { at, isPinned })}
      />
      {(isActive || isTouched) && index !== undefined && (
        <Tooltip
          drawing={drawing}
          axis={axis}
          marks={marksAt(marks, drawing.times, index)}
          index={index}
          left={pointed?.left ?? 0}
          totalLabel={totalLabel}
          isPinned={isTouched && touched.isPinned}
        />
      )}
    </div>
  )
}

/** Divisor, 4, of a chart's shown time range: Shift and an arrow key move the range by a quarter of its length. */
const KEY_PANS = 4

const timeText = ({ times }: ChartDrawing, index: number, formats: Formats): string => formatTime(times[index] ?? 0, 'dayAndTime', formats)

const arrowSteps: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1, PageUp: -10, PageDown: 10 }
