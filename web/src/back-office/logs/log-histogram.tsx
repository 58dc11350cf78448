import { useState, type PointerEvent } from 'react'
import { formatTime, detailOf } from '../../format/time.ts'
import { useFormats } from '../../preferences/use-preferences.ts'
import * as words from '../../words/messages.js'
import { barParts, brushedRange } from './log-bars.ts'
import { lookOf } from './log-looks.ts'
import type { HistogramData as Histogram } from './logs.ts'

type LogHistogramProps = {
  /**
   * Data of the log page's histogram: numbers of log entries over time by level, with the time range that they cover; `undefined` while
   * loading.
   */
  histogram: Histogram | undefined
  onBrush: (window: { readonly fromMs: number; readonly toMs: number }) => void
}

/**
 * React component: histogram of the hub's log entries over time by level. Dragging across it calls `onBrush` with the selected time range,
 * which covers whole bars.
 */
export function LogHistogram({ histogram, onBrush }: LogHistogramProps) {
  const formats = useFormats()
  const [brush, setBrush] = useState<{ readonly start: number; readonly end: number }>()
  if (histogram === undefined) return <div aria-busy="true" className="h-28 animate-skeleton rounded-card bg-sunken" />
  const { fromMs, toMs, total, countedFromMs } = histogram
  const shareOf = ({ clientX, currentTarget }: PointerEvent): number => {
    const { left, width } = currentTarget.getBoundingClientRect()
    return (clientX - left) / width
  }
  const detail = detailOf(toMs - fromMs)
  const said = words.office_log_counted({
    count: total,
    from: formatTime(fromMs, 'dayAndTime', formats),
    to: formatTime(toMs, 'dayAndTime', formats),
  })
  return (
    <figure className="card px-3 pt-3 pb-2">
      <svg
        role="img"
        aria-label={said}
        viewBox="0 0 1 1"
        preserveAspectRatio="none"
        className="h-16 w-full cursor-crosshair touch-pan-y select-none"
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId)
          const share = shareOf(event)
          setBrush({ start: share, end: share })
        }}
        onPointerMove={(event) => brush !== undefined && setBrush({ ...brush, end: shareOf(event) })}
        onPointerCancel={() => setBrush(undefined)}
        onPointerUp={(event) => {
          if (brush !== undefined) onBrush(brushedRange(histogram, brush.start, shareOf(event)))
          setBrush(undefined)
        }}
      >
        <rect width="1" height="1" fill="transparent" />
        {barParts(histogram).map(({ key, level, left, width, top, height }) => (
          <rect key={key} x={left + width * 0.08} width={width * 0.84} y={top} height={height} fill={lookOf(level).fill} />
        ))}
        {brush !== undefined && (
          <rect
            x={Math.min(brush.start, brush.end)}
            width={Math.abs(brush.end - brush.start)}
            height="1"
            fill="var(--accent)"
            opacity="0.2"
          />
        )}
      </svg>
      <figcaption className="mt-1 flex flex-wrap justify-between gap-x-3 text-small text-muted tabular-nums">
        <span aria-hidden="true" className="max-sm:hidden">
          {formatTime(fromMs, detail === 'time' ? 'dayAndTime' : detail, formats)}
        </span>
        <span>
          {countedFromMs === undefined
            ? said
            : words.office_log_counted_from({ count: total, from: formatTime(countedFromMs, 'dayAndTime', formats) })}
        </span>
        <span aria-hidden="true" className="max-sm:hidden">
          {formatTime(toMs, detail === 'time' ? 'dayAndTime' : detail, formats)}
        </span>
      </figcaption>
    </figure>
  )
}
