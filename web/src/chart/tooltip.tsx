import { formatTime } from '../format/time.ts'
import { useFormats } from '../preferences/use-preferences.ts'
import { useMediaQuery } from '../ui/use-media-query.ts'
import * as words from '../words/messages.js'
import { formatOnAxis, type Axis } from './axis.ts'
import type { ChartMark } from './chart-marks.ts'
import type { ChartDrawing } from './chart-drawing.ts'
import { Swatch } from './swatch.tsx'
import { spreadText, tooltipRows, totalAt } from './tooltip-model.ts'

/**
 * Maximum number of lines in a chart's tooltip, 12. The number of further lines is shown instead, so that the tooltip fits beside its
 * chart.
 */
const MOST_ROWS = 12

/**
 * Maximum number of event marks in a chart's tooltip, 5; the number of further ones is shown instead. Thousands of containers can end
 * within one point.
 */
const MOST_MARKS = 5

type TooltipProps = {
  drawing: ChartDrawing
  axis: Axis
  marks: readonly ChartMark[]
  index: number
  /** Position of the chart's crosshair, 0 (left) to 1 (right) of the chart's width, beside which the tooltip is placed. */
  left: number
  totalLabel: string
  /** True when a touch has pinned the tooltip, so that it stays until the chart is tapped or the crosshair moves otherwise. */
  isPinned: boolean
}

/**
 * React component: tooltip of a chart with values (highest first) and event marks at the time with this `index`. `totalLabel` names the sum
 * of a stacked chart.
 */
export function Tooltip({ drawing, axis, marks, index, left, totalLabel, isPinned }: TooltipProps) {
  const isPhone = useMediaQuery('(width < 40rem)')
  const formats = useFormats()
  const at = drawing.times[index]
  const rows = tooltipRows(drawing.lines, index)
  const total = totalAt(drawing, index)
  if (at === undefined || (rows.length === 0 && marks.length === 0)) return null
  return (
    <div
      aria-hidden="true"
      className="pointer-events-none absolute top-1 z-20 flex max-w-full min-w-40 flex-col gap-0.5 rounded-control border border-border-strong bg-surface px-2.5 py-1.5 text-small shadow-raised"
      style={isPhone ? within(left) : beside(left)}
    >
      <span className="flex justify-between gap-3">
        <span className="font-medium">{formatTime(at, 'dayAndTime', formats)}</span>
        {isPinned && <span className="text-muted">{words.reading_pinned()}</span>}
      </span>
      {rows.slice(0, MOST_ROWS).map(({ line, value }) => (
        <span key={line.key} className="flex items-center gap-2">
          <Swatch line={line} />
          <span className="truncate text-muted">{line.label}</span>
          <span className="ml-auto pl-3 whitespace-nowrap">
            {formatOnAxis(value, axis, formats, false)}
            <Spread text={spreadText(line, index, axis, formats)} />
            {line.detailAt !== undefined && <span className="pl-1.5 text-muted">{line.detailAt(index, formats)}</span>}
          </span>
        </span>
      ))}
      {rows.length > MOST_ROWS && <span className="text-muted">+{rows.length - MOST_ROWS}</span>}
      {marks.slice(0, MOST_MARKS).map(({ label, colour, fromMs }) => (
        <span key={`${label} ${fromMs}`} className="flex items-center gap-2">
          <span className="size-2 shrink-0 rounded-full" style={{ background: `var(${colour})` }} />
          <span className="min-w-0 wrap-anywhere">{label}</span>
        </span>
      ))}
      {marks.length > MOST_MARKS && <span className="text-muted">+{marks.length - MOST_MARKS}</span>}
      {total !== undefined && (
        <span className="mt-0.5 flex justify-between gap-3 border-t border-border pt-1 font-medium">
          <span>{totalLabel}</span>
          <span>{formatOnAxis(total, axis, formats, false)}</span>
        </span>
      )}
    </div>
  )
}

const Spread = ({ text }: { text: string | undefined }) => text !== undefined && <span className="text-muted">, {text}</span>

/**
 * Returns CSS properties that place a chart's tooltip on the wider side of the crosshair, within the card. `left` is the crosshair's
 * position, 0 to 1.
 */
const beside = (left: number) =>
  left > 0.5
    ? { right: `calc(${(1 - left) * 100}% + 12px)`, maxWidth: `${left * 100}%` }
    : { left: `calc(${left * 100}% + 12px)`, maxWidth: `${(1 - left) * 100}%` }

/**
 * Returns CSS properties that place a chart's tooltip on narrow screens: it moves along with the crosshair and never past the chart's ends.
 * `left` is the crosshair's position, 0 to 1.
 */
const within = (left: number) => ({ left: `${left * 100}%`, translate: `-${left * 100}%` })
