import { useEffect, useState, type ReactNode } from 'react'
import { formatOnAxis } from '../../chart/axis.ts'
import type { Crosshair } from '../../chart/crosshair.ts'
import { layoutOf } from '../../chart/drawing-layout.ts'
import { Swatch } from '../../chart/swatch.tsx'
import { lastIndexOf } from '../../chart/tooltip-model.ts'
import { useFormats } from '../../preferences/use-preferences.ts'
import { cn } from '../../ui/cn.ts'
import * as words from '../../words/messages.js'
import type { CardDrawing } from './chart-spec.ts'

/** Number of entries, 6, that a chart's legend shows while it is collapsed; a button shows the others. */
const SHOWN_LINES = 6

type LegendProps = {
  drawing: CardDrawing | undefined
  hidden: ReadonlySet<string>
  /**
   * Crosshair position of the chart, as the index of a time. The legend shows the values at that time, or without a position the latest
   * values.
   */
  pointed: Crosshair
  onToggle: (key: string) => void
  /** React node at the end of a chart's legend: the control that selects how many lines (those with the highest values) charts draw. */
  top: ReactNode
}

/**
 * React component: legend of a chart (colour, name and value of each line). Pressing an entry calls `onToggle` with the line's key, to hide
 * or show the line. `hidden` are the keys of hidden lines.
 */
export function Legend({ drawing, hidden, pointed, onToggle, top }: LegendProps) {
  const formats = useFormats()
  const [isOpen, setOpen] = useState(false)
  const [index, setIndex] = useState(pointed.at)
  useEffect(() => pointed.follow(setIndex), [pointed])
  if (drawing === undefined) return <div className="min-h-7" />
  const last = lastIndexOf(drawing.lines, drawing.times.length)
  const at = index === undefined || index >= drawing.times.length ? last : index
  const { axis } = layoutOf(drawing)
  const lines = isOpen ? drawing.lines : drawing.lines.slice(0, SHOWN_LINES)
  const folded = drawing.lines.length - SHOWN_LINES
  return (
    <div className="flex min-h-7 flex-wrap items-center gap-x-1 text-small text-muted sm:pl-14">
      {lines.map((line) => {
        const value = at === undefined ? undefined : line.values[at]
        const isHidden = hidden.has(line.key)
        return (
          <button
            key={line.key}
            type="button"
            aria-pressed={!isHidden}
            onClick={() => onToggle(line.key)}
            className={cn(
              'flex h-6 max-w-56 items-center gap-1.5 rounded-control px-1.5 hover:bg-hover',
              isHidden && 'line-through [&>svg]:grayscale',
            )}
          >
            <Swatch line={line} />
            <span className="truncate">{line.label}</span>
            <b className="font-medium whitespace-nowrap text-text">
              {value === undefined || value === null ? '–' : formatOnAxis(value, axis, formats, drawing.startsAtZero)}
            </b>
          </button>
        )
      })}
      {folded > 0 && (
        <button
          type="button"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
          className="h-6 rounded-control px-1.5 underline hover:bg-hover"
        >
          {isOpen ? words.show_fewer() : words.show_more({ count: folded })}
        </button>
      )}
      {top}
    </div>
  )
}
