import { formatTime } from '../format/time.ts'
import { useFormats } from '../preferences/use-preferences.ts'
import { useMediaQuery } from '../ui/use-media-query.ts'
import * as words from '../words/messages.js'
import { formatOnAxis, type Axis } from './axis.ts'
import type { ChartMark } from './chart-marks.ts'
import type { ChartDrawing } from './chart-drawing.ts'
import { Swatch } from './swatch.tsx'
import { spreadText, tooltipRows, totalAt } from './tooltip-model.ts'

/** More lines than this are told as a number: the tooltip has to fit beside its chart. */
const MOST_ROWS = 12

/** Marks beyond this number are counted: thousands of containers can end within one point. */
const MOST_MARKS = 5

type TooltipProps = {
  drawing: ChartDrawing
  axis: Axis
  marks: readonly ChartMark[]
  index: number
  /** Where the crosshair stands, as a share of the chart's width. */
  left: number
  totalLabel: string
  /** The reading stays until the chart is tapped. */
  isPinned: boolean
}

/** The values under the crosshair, highest first, in the unit of the axis. */
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

/** On the wider side of the crosshair, and not beyond the padding of its card: long names are cut. */
const beside = (left: number) =>
  left > 0.5
    ? { right: `calc(${(1 - left) * 100}% + 12px)`, maxWidth: `${left * 100}%` }
    : { left: `calc(${left * 100}% + 12px)`, maxWidth: `${(1 - left) * 100}%` }

/** Where there is no room beside the crosshair: as far along the chart as the crosshair is, and never beyond its ends. */
const within = (left: number) => ({ left: `${left * 100}%`, translate: `-${left * 100}%` })
